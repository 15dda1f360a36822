import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'
import { bodyElseQuery } from '../parameters.ts'
import { oauth2 as render } from './errors.ts'

/**
 * The endpoints of OAuth 2.0 user tokens: parameters are documented in the body only, because
 * addresses are logged; undeclared ones are ignored (RFC 6749 section 3.2). Published clients also
 * send them as JSON, or without a body in the query.
 */
export const oauth2: Protocol = {
  name: 'oauth2',
  input: { ...legacy.input, bodyOnly: true, jsonParameters: true, pairs: bodyElseQuery },
  challenges: false,
  render,
}
