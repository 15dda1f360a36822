// How many OAuth 1.0a requests one core verifies per second, from the raw header to the compared
// signature.

import { parseAuthorization, parseOAuthHeader } from '../src/identity/auth/signature/header.ts'
import { readProtocol } from '../src/identity/auth/signature/protocol.ts'
import { signRequest } from '../src/identity/auth/signature/sign.ts'
import { signatureMatches } from '../src/identity/auth/signature/verify.ts'
import { type Pair, parsePairs } from '../src/platform/http/input/form.ts'

const SECRETS = {
  consumerSecret: 'cs9VelvetHarbour2Kite8Onyx5Fjord1Plume3',
  tokenSecret: 'ts6MarbleOrchid4Sable0Quill9Zephyr2',
}
const HOST = 'api.example.com'
const TARGET = '/2/posts?ids=1900000000000000001%2C1900000000000000002&post.fields=created_at%2Cauthor_id'
const NO_FORM: Pair[] = []
const ROUNDS = 7
const PER_ROUND = 100_000

// Different nonces, so that no engine can serve the work from what it remembers of the last
// request.
const headers = Array.from(
  { length: 1000 },
  (_, index) =>
    signRequest({
      method: 'GET',
      url: `https://${HOST}${TARGET}`,
      consumerKey: 'ck7Quarry0Lantern4Mosaic',
      token: '4400112233445566-TkJuniperCobalt71',
      ...SECRETS,
      nonce: `nonce0lantern0quarry0mosaic${10_000 + index}`,
      timestampSeconds: 1_767_225_600 + index,
    }).header,
)

function verify(header: string, target: string): boolean {
  const authorization = parseAuthorization(header)
  if (authorization?.scheme !== 'oauth') return false
  const fromHeader = parseOAuthHeader(authorization.rest)
  const query = parsePairs(target.slice(target.indexOf('?') + 1))
  if (fromHeader === undefined || query === undefined) return false
  const protocol = readProtocol({ header: fromHeader, query, form: NO_FORM })
  if ('fault' in protocol) return false
  return (
    signatureMatches({ method: 'GET', scheme: 'https', host: HOST, target, protocol, ...SECRETS }) === true
  )
}

const rates: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const start = performance.now()
  for (let index = 0; index < PER_ROUND; index++) {
    if (!verify(headers[index % headers.length] ?? '', TARGET))
      throw new Error('a good signature was rejected')
  }
  rates.push(PER_ROUND / ((performance.now() - start) / 1000))
}
rates.sort((a, b) => a - b)
const median = rates[ROUNDS >> 1] ?? 0
console.log(
  `signature verifications/s on one core: median ${Math.round(median)}, ` +
    `lowest ${Math.round(rates[0] ?? 0)}, highest ${Math.round(rates.at(-1) ?? 0)} ` +
    `(${(1e6 / median).toFixed(2)} µs each, ${ROUNDS} rounds of ${PER_ROUND})`,
)
