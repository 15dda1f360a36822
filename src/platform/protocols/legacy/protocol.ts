import type { Protocol } from '../../http/contract.ts'
import { signedOrSent } from '../parameters.ts'
import { legacy as render } from './errors.ts'

/** The paths under `/1.1/`: undeclared parameters are ignored, errors are `{errors: [{code, message}]}`. */
export const legacy: Protocol = {
  name: 'legacy',
  input: {
    closedQuery: false,
    repeatedLists: false,
    bodyOnly: false,
    jsonParameters: false,
    untypedJson: false,
    absentNulls: false,
    echo: false,
    pairs: signedOrSent,
  },
  challenges: true,
  render,
}
