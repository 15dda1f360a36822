import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'
import { formOrJson } from '../parameters.ts'
import { oauth2 as render } from './errors.ts'

/**
 * The endpoints of OAuth 2.0 user tokens: parameters in the body only, because addresses are logged; undeclared ones are
 * ignored (RFC 6749 section 3.2). Published clients send them as JSON, too.
 */
export const oauth2: Protocol = {
  name: 'oauth2',
  input: { ...legacy.input, bodyOnly: true, jsonParameters: true, pairs: formOrJson },
  challenges: false,
  render,
}
