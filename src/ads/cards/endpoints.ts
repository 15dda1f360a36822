import type { Endpoint } from '../../http/endpoint.ts'
import { allCardEndpoints } from './all.ts'
import { componentCardEndpoints } from './cards.ts'
import { conversationCardEndpoints } from './conversations.ts'
import { pollCardEndpoints } from './polls.ts'

/** Cards of every kind. */
export const cardEndpoints: readonly Endpoint[] = [
  ...componentCardEndpoints,
  ...allCardEndpoints,
  ...pollCardEndpoints,
  ...conversationCardEndpoints,
]
