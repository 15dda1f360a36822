import type { Endpoint } from '../../kit/endpoint.ts'
import { targetingCriteria } from './criteria.ts'

export const targetingEndpoints: readonly Endpoint[] = [...targetingCriteria.endpoints]
