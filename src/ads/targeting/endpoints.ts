import type { Endpoint } from '../../kit/endpoint.ts'

export const targetingEndpoints: readonly Endpoint[] = []
