import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'

/** The paths of the OAuth provider: parameters and errors as under `/1.1/`. Replies may be form-encoded. */
export const oauth: Protocol = { ...legacy, name: 'oauth' }
