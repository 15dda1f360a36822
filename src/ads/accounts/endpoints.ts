import type { Endpoint } from '../../kit/endpoint.ts'

export const accountEndpoints: readonly Endpoint[] = []
