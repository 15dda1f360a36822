import { vocabularyConformance } from '../suite.ts'

vocabularyConformance(import.meta.filename)
