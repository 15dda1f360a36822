import type { AdsEndpoint } from '../endpoint.ts'
import { allCardEndpoints } from './all.ts'
import { componentCardEndpoints } from './cards.ts'
import { conversationCardEndpoints } from './conversations.ts'
import { pollCardEndpoints } from './polls.ts'

/** Cards of every kind. */
export const cardEndpoints: readonly AdsEndpoint[] = [
  ...componentCardEndpoints,
  ...allCardEndpoints,
  ...pollCardEndpoints,
  ...conversationCardEndpoints,
]
