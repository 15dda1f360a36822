import { timingSafeEqual } from 'node:crypto'
import type { Cluster } from '../cluster/cluster.ts'
import type { Credentials } from '../identity/credentials.ts'
import type { Clock } from '../kit/clock.ts'
import type { AuthKind } from '../kit/endpoint.ts'
import { authWords } from '../kit/endpoint.ts'
import { Refusal, refuse } from '../kit/errors.ts'
import type { Incoming } from '../kit/incoming.ts'
import { networkOf } from '../kit/network.ts'
import { readBasic } from './basic.ts'
import type { PendingTokens } from './pending-tokens.ts'
import type { Principal } from './principal.ts'
import { parseAuthorization, parseOAuthHeader } from './signature/header.ts'
import type { Protocol } from './signature/protocol.ts'
import { hasProtocolParameters, readProtocol } from './signature/protocol.ts'
import { signatureMatches } from './signature/verify.ts'

export interface AuthenticationServices {
  credentials: Credentials
  pendingTokens: PendingTokens
  cluster: Cluster
  clock: Clock
  /** Seconds that a signature's timestamp may be away from the clock. */
  timestampWindowSeconds: number
  /** The public origin of the host, tried after the `Host` header's. */
  publicOrigin: string | undefined
}

/**
 * Finds out who sent a request, or throws the one reason why not.
 * Order of checks and their refusals: interface, Authentication; a signature's checks in the order of
 * `verifySigned`. `accepted` are the kinds that the endpoint takes.
 */
export async function authenticate(
  incoming: Incoming,
  accepted: readonly AuthKind[],
  services: AuthenticationServices,
): Promise<Principal> {
  const shown = credentialsShown(incoming)
  if (shown.kind === 'none') {
    if (accepted.includes('none')) return nobody(incoming)
    // The token endpoint answers missing credentials as unverifiable ones.
    throw accepted.includes('basic') && accepted.length === 1
      ? refuse('credentials unverifiable', 'no credentials')
      : refuse('bad authentication data', 'no credentials')
  }
  if (accepted.length === 1 && accepted[0] === 'none') return nobody(incoming)
  const refreshing = services.credentials.refresh()
  if (refreshing) await refreshing
  switch (shown.kind) {
    case 'unknown':
      throw kindRefused('scheme unknown', 'Unknown', accepted)
    case 'malformed':
      throw refuse('bad authentication data', shown.detail)
    case 'bearer':
      return verifyBearer(shown.token, accepted, services)
    case 'basic':
      return verifyBasic(shown.text, accepted, services)
    case 'signed':
      return verifySigned(incoming, shown.pairs, accepted, services)
  }
}

const nobody = (incoming: Incoming): Principal => ({
  kind: 'none',
  pool: { kind: 'address', owner: networkOf(incoming.address) },
})

type Shown =
  | { kind: 'none' }
  | { kind: 'unknown' }
  | { kind: 'malformed'; detail: string }
  | { kind: 'bearer'; token: string }
  | { kind: 'basic'; text: string }
  | { kind: 'signed'; pairs: [string, string][] | undefined }

/** Which scheme a request uses. Two at once are malformed: neither can be believed over the other. */
function credentialsShown(incoming: Incoming): Shown {
  const header = incoming.headers.authorization
  const loose = hasProtocolParameters(incoming.query) || hasProtocolParameters(incoming.form)
  if (header === undefined) return loose ? { kind: 'signed', pairs: undefined } : { kind: 'none' }
  const parsed = parseAuthorization(header)
  if (!parsed) return { kind: 'malformed', detail: 'unparsable authorization header' }
  if (parsed.scheme === 'oauth') {
    const pairs = parseOAuthHeader(parsed.rest)
    return pairs ? { kind: 'signed', pairs } : { kind: 'malformed', detail: 'unparsable OAuth header' }
  }
  if (loose) return { kind: 'malformed', detail: 'two schemes at once' }
  if (parsed.scheme === 'bearer') return { kind: 'bearer', token: parsed.rest.trim() }
  if (parsed.scheme === 'basic') return { kind: 'basic', text: parsed.rest.trim() }
  return { kind: 'unknown' }
}

function kindRefused(
  cause: 'scheme unknown' | 'auth kind not allowed',
  used: string,
  accepted: readonly AuthKind[],
) {
  return new Refusal(cause, { auth: { used, supported: accepted.map((kind) => authWords[kind]) } })
}

const BEARER = /^[A-Za-z0-9._~+/%-]+=*$/
const MAX_BEARER_LENGTH = 512

async function verifyBearer(
  token: string,
  accepted: readonly AuthKind[],
  { credentials }: AuthenticationServices,
): Promise<Principal> {
  if (token.length > MAX_BEARER_LENGTH || !BEARER.test(token))
    throw refuse('bad authentication data', 'malformed bearer')
  const appFound = credentials.appByBearer(token)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app) throw refuse('invalid token', 'unknown bearer')
  if (app.suspended) throw refuse('app suspended')
  if (!accepted.includes('app')) throw kindRefused('auth kind not allowed', authWords.app, accepted)
  return { kind: 'app', app, pool: { kind: 'app', owner: app.id } }
}

async function verifyBasic(
  text: string,
  accepted: readonly AuthKind[],
  { credentials }: AuthenticationServices,
): Promise<Principal> {
  if (!accepted.includes('basic')) throw kindRefused('auth kind not allowed', authWords.basic, accepted)
  const pair = readBasic(text)
  if (!pair) throw refuse('credentials unverifiable', 'malformed Basic credentials')
  const appFound = credentials.appByKey(pair.key)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app || !sameText(app.consumerSecret, pair.secret))
    throw refuse('credentials unverifiable', 'wrong key or secret')
  if (app.suspended) throw refuse('app suspended')
  return { kind: 'basic', app, pool: { kind: 'client', owner: app.id } }
}

/** Compares two secrets in a time that tells nothing but whether their lengths agree. */
function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The checks of a signed request, in the order in which their refusals win. */
async function verifySigned(
  incoming: Incoming,
  header: [string, string][] | undefined,
  accepted: readonly AuthKind[],
  services: AuthenticationServices,
): Promise<Principal> {
  const protocol = readProtocol({ header, query: incoming.query, form: incoming.form })
  if ('fault' in protocol) throw refuse('bad authentication data', protocol.fault)
  const { credentials, clock, timestampWindowSeconds } = services
  const appFound = credentials.appByKey(protocol.consumerKey)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app) throw refuse('could not authenticate', 'unknown consumer key')
  if (app.suspended) throw refuse('app suspended')
  if (Math.abs(clock.now() / 1000 - protocol.timestampSeconds) > timestampWindowSeconds) {
    throw refuse('timestamp out of bounds', `timestamp ${protocol.timestampSeconds}`)
  }
  if (protocol.token === undefined) {
    if (accepted.includes('pending')) throw refuse('bad authentication data', 'oauth_token is missing')
    await checkSignature(incoming, protocol, app.consumerSecret, '', services)
    if (!accepted.includes('client')) throw kindRefused('auth kind not allowed', authWords.client, accepted)
    return { kind: 'client', app, parameters: protocol.parameters, pool: { kind: 'client', owner: app.id } }
  }
  if (accepted.includes('pending')) {
    const secret = await services.pendingTokens.secretOf(protocol.token, app.id)
    if (secret === undefined) throw refuse('invalid token', 'unknown request token')
    await checkSignature(incoming, protocol, app.consumerSecret, secret, services)
    return {
      kind: 'pending',
      app,
      requestToken: protocol.token,
      parameters: protocol.parameters,
      pool: { kind: 'client', owner: app.id },
    }
  }
  const tokenFound = credentials.accessToken(protocol.token)
  const token = tokenFound instanceof Promise ? await tokenFound : tokenFound
  if (!token || token.appId !== app.id) throw refuse('invalid token', 'unknown access token')
  await checkSignature(incoming, protocol, app.consumerSecret, token.secret, services)
  if (token.userSuspended) throw refuse('user suspended')
  if (!accepted.includes('user')) throw kindRefused('auth kind not allowed', authWords.user, accepted)
  return {
    kind: 'user',
    app,
    userId: token.userId,
    token: protocol.token,
    access: token.access,
    parameters: protocol.parameters,
    pool: { kind: 'user', owner: `${app.id} ${token.userId}` },
  }
}

/** The signature, and only then the nonce: a forged request must not use up a nonce. */
async function checkSignature(
  incoming: Incoming,
  protocol: Protocol,
  consumerSecret: string,
  tokenSecret: string,
  { cluster, publicOrigin }: AuthenticationServices,
): Promise<void> {
  const { method, scheme, host, target } = incoming
  const request = { method, scheme, host, target, protocol, consumerSecret, tokenSecret }
  if (!signatureMatches(publicOrigin === undefined ? request : { ...request, publicOrigin })) {
    throw refuse('could not authenticate', 'signature mismatch')
  }
  // Lengths in front keep two different triples from giving the same text.
  const { consumerKey, token = '', nonce } = protocol
  const key = `${consumerKey.length}.${token.length}.${consumerKey}${token}${nonce}`
  const claimed = cluster.claimNonce(protocol.timestampSeconds, key)
  if (!(claimed instanceof Promise ? await claimed : claimed))
    throw refuse('could not authenticate', 'nonce used before')
}
