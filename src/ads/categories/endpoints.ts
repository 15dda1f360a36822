import type { Endpoint } from '../../kit/endpoint.ts'

export const categoryEndpoints: readonly Endpoint[] = []
