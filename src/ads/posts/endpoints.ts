import type { Endpoint } from '../../kit/endpoint.ts'

export const postEndpoints: readonly Endpoint[] = []
