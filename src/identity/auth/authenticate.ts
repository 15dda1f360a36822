import { type Cluster, rejectsSignedForSeconds } from '../../platform/cluster/cluster.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import { beginningOf } from '../../platform/common/cut-text.ts'
import { networkOf } from '../../platform/common/network.ts'
import { sameText } from '../../platform/common/same-text.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { ReadForm } from '../../platform/http/exchange.ts'
import type { Incoming } from '../../platform/http/input/incoming.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { type App, BEARER_RUN } from '../apps/app.ts'
import type { Credentials } from '../tokens/credentials.ts'
import { ALL_LEVELS, levelsOf, PUBLIC_LEVELS } from '../tokens/scopes.ts'
import { kindNotAllowed } from './authorize.ts'
import { readBasic } from './basic.ts'
import { type AcceptedKinds, usedWords } from './kinds.ts'
import type { PendingTokens } from './pending-tokens.ts'
import type { Principal } from './principal.ts'
import { parseAuthorization, parseOAuthHeader } from './signature/header.ts'
import { hasProtocolParameters, type Protocol, readProtocol } from './signature/protocol.ts'
import { signatureMatches } from './signature/verify.ts'

export interface AuthenticationServices {
  credentials: Credentials
  pendingTokens: PendingTokens
  cluster: Cluster
  clock: Clock
  /** The clock that callers sign with: the machine's, whatever time users see. */
  machineClock: TimeSource
  /** Maximum difference between the timestamp of a signature and the clock, in seconds. */
  timestampWindowSeconds: number
  /**
   * Whether the exchange of a verifier may be signed without the request token's secret, or not be
   * signed.
   */
  lenientExchange: boolean
  /** The public origin of the host, tried after the one in the `Host` header. */
  publicOrigin: string | undefined
  /** Further public origins, by the host in the `Host` header. */
  aliases: ReadonlyMap<string, string>
  /**
   * Whether a `Host` header names the listener itself. A signature for any other host was made for
   * another server.
   */
  isOwnHost(header: string): boolean
  /** Called when a request with a valid signature is rejected because the clock was set back. */
  onClockSetBack(rejectedForSeconds: number): void
}

/**
 * Authenticates a request, or throws an error. The order of checks and errors follows the interface
 * (Authentication), and for signatures `verifySigned`. `accepted` are the kinds that the endpoint
 * accepts. An authenticated caller that is of another kind or suspended is rejected later, by
 * `authorize`, after the call was counted.
 */
export async function authenticate(
  incoming: Incoming,
  accepted: AcceptedKinds,
  services: AuthenticationServices,
  readForm?: ReadForm,
): Promise<Principal> {
  let shown = credentialsShown(incoming)
  if (shown.kind === 'none' && readForm) {
    await readForm(false)
    shown = credentialsShown(incoming)
  }
  if (shown.kind === 'none') {
    if (accepted.kinds.includes('none')) return anonymous(incoming)
    if (services.lenientExchange && accepted.kinds.includes('pending')) return unsigned(incoming, services)
    // The token endpoint reports missing credentials as unverifiable.
    throw accepted.kinds.includes('basic') && accepted.kinds.length === 1
      ? apiError('credentials unverifiable', 'no credentials')
      : apiError('bad authentication data', 'no credentials')
  }
  if (accepted.kinds.length === 1 && accepted.kinds[0] === 'none') return anonymous(incoming)
  const refreshing = services.credentials.refresh()
  if (refreshing) await refreshing
  switch (shown.kind) {
    case 'unknown':
      throw kindNotAllowed('scheme unknown', usedWords.none, accepted)
    case 'malformed':
      throw apiError('bad authentication data', shown.detail)
    case 'bearer':
      return alone(await verifyBearer(shown.token, services), incoming, readForm)
    case 'basic':
      return alone(await verifyBasic(shown.text, accepted, services), incoming, readForm)
    case 'signed':
      if (readForm) await readForm(await isKnown(incoming, shown.pairs, accepted, services))
      return verifySigned(incoming, shown.pairs, accepted, services)
  }
}

/** Rejects a form with a signature in addition to other credentials. */
async function alone(
  caller: Principal,
  incoming: Incoming,
  readForm: ReadForm | undefined,
): Promise<Principal> {
  if (!readForm) return caller
  await readForm(true)
  if (hasProtocolParameters(incoming.form)) throw apiError('bad authentication data', 'two schemes at once')
  return caller
}

/**
 * Checks a signed request as far as its headers allow, before the form is read. Returns true if it
 * names an existing token, false if its parameters may still be in the form. Throws the first
 * error.
 */
async function isKnown(
  { query }: Incoming,
  header: [string, string][] | undefined,
  accepted: AcceptedKinds,
  services: AuthenticationServices,
): Promise<boolean> {
  const protocol = readProtocol({ header, query, form: [] })
  if ('fault' in protocol) {
    if (protocol.fault === 'protocol parameter missing') return false
    throw apiError('bad authentication data', protocol.fault)
  }
  const app = await signingApp(protocol, services)
  if (protocol.token === undefined) return false
  if (accepted.kinds.includes('pending')) {
    if ((await services.pendingTokens.secretOf(protocol.token, app.id)) !== undefined) return true
  } else if ((await services.credentials.accessToken(protocol.token))?.appId === app.id) return true
  throw apiError('invalid token', 'unknown token')
}

/** The app of a consumer key, unless it is suspended. */
async function appOfKey(consumerKey: string, { credentials }: AuthenticationServices): Promise<App> {
  const appFound = credentials.appByKey(consumerKey)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app) throw apiError('could not authenticate', 'unknown consumer key')
  if (app.suspended) throw apiError('app suspended')
  return app
}

/** The app that signed. */
async function signingApp(
  { consumerKey, timestampSeconds }: Protocol,
  services: AuthenticationServices,
): Promise<App> {
  const { machineClock, timestampWindowSeconds } = services
  const app = await appOfKey(consumerKey, services)
  if (Math.abs(machineClock.now() / 1000 - timestampSeconds) > timestampWindowSeconds)
    throw apiError('timestamp out of bounds', `timestamp ${timestampSeconds}`)
  return app
}

const anonymous = (incoming: Incoming): Principal => ({
  kind: 'none',
  pool: { kind: 'address', owner: networkOf(incoming.address) },
  levels: PUBLIC_LEVELS,
})

type PresentedCredentials =
  | { kind: 'none' }
  | { kind: 'unknown' }
  | { kind: 'malformed'; detail: string }
  | { kind: 'bearer'; token: string }
  | { kind: 'basic'; text: string }
  | { kind: 'signed'; pairs: [string, string][] | undefined }

/** The scheme of a request. A request with two schemes is malformed. */
function credentialsShown(incoming: Incoming): PresentedCredentials {
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

const BEARER = /^[A-Za-z0-9._~+/%-]+=*$/
const MAX_BEARER_LENGTH = 512
/** The token is malformed, unknown, expired or revoked (RFC 6750 section 3.1). */
const INVALID_TOKEN = { error: 'invalid_token' } as const

/**
 * A bearer token of an app begins with a run of the letter A. Any other bearer token is an access
 * token of a user.
 */
async function verifyBearer(token: string, services: AuthenticationServices): Promise<Principal> {
  if (token.length > MAX_BEARER_LENGTH || !BEARER.test(token))
    throw apiError('bad authentication data', { detail: 'malformed bearer', bearer: INVALID_TOKEN })
  if (!token.startsWith(BEARER_RUN)) return verifyUserToken(token, services)
  const appFound = services.credentials.appByBearer(token)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app) throw apiError('invalid token', { detail: 'unknown bearer', bearer: INVALID_TOKEN })
  if (app.suspended) throw apiError('app suspended')
  return { kind: 'app', app, pool: { kind: 'app', owner: app.id }, levels: ALL_LEVELS }
}

async function verifyUserToken(
  text: string,
  { credentials, clock }: AuthenticationServices,
): Promise<Principal> {
  const found = credentials.userToken(text)
  const token = found instanceof Promise ? await found : found
  if (!token || token.expiresAt <= clock.now())
    throw apiError('invalid token', { detail: 'unknown access token', bearer: INVALID_TOKEN })
  const { app, userId, scopes, level } = token
  if (app.suspended) throw apiError('app suspended')
  return {
    kind: 'user',
    oauth: '2.0',
    app,
    userId,
    scopes,
    levels: level && levelsOf(level),
    suspended: token.userSuspended,
    pool: userPool(app.id, userId),
  }
}

/** All calls of a user through one app are counted together, whichever token the app sends. */
const userPool = (appId: string, userId: string) => ({ kind: 'user', owner: `${appId} ${userId}` })

async function verifyBasic(
  text: string,
  accepted: AcceptedKinds,
  { credentials }: AuthenticationServices,
): Promise<Principal> {
  if (!accepted.kinds.includes('basic'))
    throw kindNotAllowed('auth kind not allowed', usedWords.basic, accepted)
  const pair = readBasic(text)
  if (!pair) throw apiError('credentials unverifiable', 'malformed Basic credentials')
  const appFound = credentials.appByKey(pair.key)
  const app = appFound instanceof Promise ? await appFound : appFound
  if (!app || !sameText(app.consumerSecret, pair.secret))
    throw apiError('credentials unverifiable', 'wrong key or secret')
  if (app.suspended) throw apiError('app suspended')
  return { kind: 'basic', app, pool: { kind: 'client', owner: app.id }, levels: ALL_LEVELS }
}

/** The checks of a signed request, in the order in which their errors take precedence. */
async function verifySigned(
  incoming: Incoming,
  header: [string, string][] | undefined,
  accepted: AcceptedKinds,
  services: AuthenticationServices,
): Promise<Principal> {
  const protocol = readProtocol({ header, query: incoming.query, form: incoming.form })
  if ('fault' in protocol) throw apiError('bad authentication data', protocol.fault)
  const { credentials } = services
  const app = await signingApp(protocol, services)
  if (protocol.token === undefined) {
    if (accepted.kinds.includes('pending'))
      throw apiError('bad authentication data', 'oauth_token is missing')
    await checkSignature(incoming, protocol, app.consumerSecret, '', services)
    return {
      kind: 'client',
      app,
      ...signed(protocol),
      pool: { kind: 'client', owner: app.id },
      levels: ALL_LEVELS,
    }
  }
  if (accepted.kinds.includes('pending')) {
    const secret = await services.pendingTokens.secretOf(protocol.token, app.id)
    if (secret === undefined) throw apiError('invalid token', 'unknown request token')
    // A caller who signs without the secret still needs the verifier, which only the user's browser
    // received.
    const isLoose =
      services.lenientExchange && (await isSigned(incoming, protocol, app.consumerSecret, '', services))
    await checkSignature(incoming, protocol, app.consumerSecret, isLoose ? '' : secret, services)
    return {
      kind: 'pending',
      app,
      requestToken: protocol.token,
      ...signed(protocol),
      pool: { kind: 'client', owner: app.id },
      levels: ALL_LEVELS,
    }
  }
  const tokenFound = credentials.accessToken(protocol.token)
  const token = tokenFound instanceof Promise ? await tokenFound : tokenFound
  if (!token || token.appId !== app.id) throw apiError('invalid token', 'unknown access token')
  await checkSignature(incoming, protocol, app.consumerSecret, token.secret, services)
  return {
    kind: 'user',
    oauth: '1.0a',
    app,
    userId: token.userId,
    token: protocol.token,
    access: token.access,
    levels: levelsOf(token.access),
    suspended: token.userSuspended,
    ...signed(protocol),
    pool: userPool(app.id, token.userId),
  }
}

/**
 * The lenient exchange of a verifier without a signature: the query or the form has the consumer
 * key, the request token and the verifier, which only the user's browser received.
 */
async function unsigned({ query, form }: Incoming, services: AuthenticationServices): Promise<Principal> {
  const parameters = [...query, ...form]
  const [key, token] = ['oauth_consumer_key', 'oauth_token'].map((parameter) => {
    const [found, ...others] = parameters.filter(([name]) => name === parameter)
    return others.length === 0 ? found?.[1] : undefined
  })
  if (!key || !token) throw apiError('bad authentication data', 'no credentials')
  const app = await appOfKey(key, services)
  if ((await services.pendingTokens.secretOf(token, app.id)) === undefined)
    throw apiError('invalid token', 'unknown request token')
  return {
    kind: 'pending',
    app,
    requestToken: token,
    parameters,
    isOfSignature,
    pool: { kind: 'client', owner: app.id },
    levels: ALL_LEVELS,
  }
}

const isOfSignature = (name: string) => name.startsWith('oauth_')

/** What a signature covers, and which parameters are its own. */
const signed = ({ parameters }: Protocol) => ({ parameters, isOfSignature })

function isSigned(
  { method, scheme, host, target, long }: Incoming,
  protocol: Protocol,
  consumerSecret: string,
  tokenSecret: string,
  services: SignedHosts,
): boolean | Promise<boolean> {
  const address = signedAddress(scheme, host, services)
  return (
    address !== undefined &&
    signatureMatches({ method, target, protocol, long, consumerSecret, tokenSecret, ...address })
  )
}

export type SignedHosts = Pick<AuthenticationServices, 'publicOrigin' | 'aliases' | 'isOwnHost'>

/**
 * The address for which a request must be signed, and the public origin, which clients may sign
 * instead. Undefined if this server does not answer for the host.
 */
export function signedAddress(
  scheme: string,
  host: string,
  { publicOrigin, aliases, isOwnHost }: SignedHosts,
): { scheme: string; host: string; publicOrigin: string | undefined } | undefined {
  if (isOwnHost(host)) return { scheme, host, publicOrigin }
  const origin = aliases.get(host.toLowerCase()) ?? publicOrigin
  if (origin === undefined) return undefined
  const [publicScheme = '', publicHost = ''] = origin.split('://')
  return { scheme: publicScheme, host: publicHost, publicOrigin: undefined }
}

/** Explains the likely cause to a caller who signed for a host that this server does not serve. */
function mismatch(host: string, { publicOrigin, aliases, isOwnHost }: AuthenticationServices): ApiError {
  const hostName = host.toLowerCase()
  const isServed =
    isOwnHost(host) ||
    aliases.has(hostName) ||
    (publicOrigin !== undefined && new URL(publicOrigin).host === hostName)
  if (isServed) return apiError('could not authenticate', 'signature mismatch')
  const shown = beginningOf(host, MAX_SHOWN_HOST)
  const hint = publicOrigin === undefined ? '' : ` Sign requests for ${publicOrigin}.`
  return new ApiError('could not authenticate', {
    explanation: `Could not authenticate you: this server does not answer for the host "${shown}".${hint}`,
  })
}

const MAX_SHOWN_HOST = 200

/** Checks the signature first, then the nonce: a forged request must not consume a nonce. */
async function checkSignature(
  incoming: Incoming,
  protocol: Protocol,
  consumerSecret: string,
  tokenSecret: string,
  services: AuthenticationServices,
): Promise<void> {
  const { cluster } = services
  const matches = isSigned(incoming, protocol, consumerSecret, tokenSecret, services)
  if (!(matches instanceof Promise ? await matches : matches)) throw mismatch(incoming.host, services)
  // The length prefixes make the encoding of each triple unique.
  const { consumerKey, token = '', nonce } = protocol
  const key = `${consumerKey.length}.${token.length}.${consumerKey}${token}${nonce}`
  const claimed = cluster.claimNonce(protocol.timestampSeconds, key)
  if (!(claimed instanceof Promise ? await claimed : claimed))
    throw apiError('could not authenticate', whyRejected(protocol, services))
}

/** Why a nonce was rejected, for the log. */
function whyRejected({ timestampSeconds }: Protocol, services: AuthenticationServices): string {
  const { cluster, machineClock, onClockSetBack } = services
  const { nonceFloorSeconds } = cluster
  if (timestampSeconds > nonceFloorSeconds) return 'nonce used before'
  const problem = `timestamp ${timestampSeconds}: nonces used up to ${nonceFloorSeconds} may be forgotten`
  const seconds = rejectsSignedForSeconds(cluster, machineClock.now())
  if (seconds === 0) return problem
  onClockSetBack(seconds)
  return `${problem}, ${seconds} s ahead of the clock, which was set back`
}
