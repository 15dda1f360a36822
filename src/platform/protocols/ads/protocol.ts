import type { Protocol } from '../../http/contract.ts'
import { bucketOf } from './buckets.ts'
import { ads as render } from './errors.ts'
import { queryOrBody } from './parameters.ts'

/** The advertising API: every reply and every error repeats the parsed parameters. */
export const ads: Protocol = {
  name: 'ads',
  input: {
    closedQuery: false,
    repeatedLists: true,
    bodyOnly: false,
    jsonParameters: true,
    untypedJson: false,
    absentNulls: false,
    echo: true,
    pairs: queryOrBody,
  },
  challenges: true,
  render,
  bucketOf,
  extend:
    ({ host }) =>
    (call, exchange) =>
      Object.assign(call, { host, scope: exchange.scope, echo: exchange.understood }),
}
