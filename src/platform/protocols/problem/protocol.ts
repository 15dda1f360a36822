import type { Protocol } from '../../http/contract.ts'
import { formOrPresentJson } from '../parameters.ts'
import { problem as render } from './errors.ts'

/** The core API under `/2/`: strict parameters, errors as Problem Details. */
export const problem: Protocol = {
  name: 'problem',
  input: {
    closedQuery: true,
    repeatedLists: false,
    bodyOnly: true,
    jsonParameters: true,
    untypedJson: true,
    absentNulls: true,
    echo: false,
    pairs: formOrPresentJson,
  },
  challenges: true,
  render,
}
