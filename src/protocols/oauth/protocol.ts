import type { Protocol } from '../../http/protocol.ts'
import { legacy } from '../legacy/protocol.ts'

/** The paths of the OAuth provider: read and rejected as those under `/1.1/`. Replies may be forms. */
export const oauth: Protocol = { ...legacy, name: 'oauth' }
