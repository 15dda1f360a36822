import type { Endpoint } from '../../kit/endpoint.ts'
import { componentCardEndpoints } from './cards.ts'
import { conversationCardEndpoints } from './conversations.ts'
import { pollCardEndpoints } from './polls.ts'

/** Cards of every kind. */
export const cardEndpoints: readonly Endpoint[] = [
  ...componentCardEndpoints,
  ...pollCardEndpoints,
  ...conversationCardEndpoints,
]
