import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'
import { formOrJson } from '../parameters.ts'
import { oauth2 as render } from './errors.ts'

/**
 * The OAuth 2.0 token endpoints. Parameters are read only from the body, because URLs are logged; undeclared ones are
 * ignored (RFC 6749 section 3.2). Published clients also send them as JSON.
 */
export const oauth2: Protocol = {
  name: 'oauth2',
  input: { ...legacy.input, bodyOnly: true, jsonParameters: true, pairs: formOrJson },
  challenges: false,
  render,
}
