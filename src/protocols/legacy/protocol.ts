import type { Protocol } from '../../http/protocol.ts'
import { signedOrSent } from '../parameters.ts'
import { legacy as render } from './errors.ts'

/** The paths under `/1.1/`: what is not declared is passed over, errors are `{errors: [{code, message}]}`. */
export const legacy: Protocol = {
  name: 'legacy',
  input: {
    closedQuery: false,
    repeatedLists: false,
    jsonParameters: false,
    echo: false,
    pairs: signedOrSent,
  },
  challenges: true,
  render,
}
