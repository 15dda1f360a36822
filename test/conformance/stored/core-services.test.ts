import { stages } from '../../support/stages.ts'
import { storedConformance } from '../suite.ts'

storedConformance(import.meta.filename, stages)
