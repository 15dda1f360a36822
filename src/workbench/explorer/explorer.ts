import type { App } from '../../identity/apps/app.ts'
import { basicHeader } from '../../identity/auth/basic.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../identity/tokens/scopes.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { randomText } from '../../platform/common/random.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { type OwnListener, type OwnReply, ReplyTooLong, sendToOwn } from '../own-server.ts'
import { type CallerServices, callingApp, callingUser, tokenOf, userTokenOf } from './callers.ts'
import { FORM_TYPE, signCall } from './sign-call.ts'

/** How a call authenticates. */
export const CALLER_KINDS = ['user', 'oauth2', 'app', 'client', 'basic', 'none'] as const

export interface ExplorerCaller {
  readonly kind: (typeof CALLER_KINDS)[number]
  /** Id or screen name. */
  readonly user?: string | undefined
  /** Default: the first app. */
  readonly appId?: string | undefined
  /** Of the kind `oauth2`. Default: all that end with the access token. */
  readonly scopes?: readonly TokenScope[] | undefined
}

export interface ExplorerCall {
  readonly host: 'core' | 'ads' | 'sandbox'
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Buffer | undefined
  readonly caller: ExplorerCaller
}

export interface ExplorerServices extends CallerServices {
  readonly machineClock: Clock
  readonly vocabulary: Vocabulary
  /** By host. */
  readonly listeners: ReadonlyMap<string, OwnListener>
  /** The public origins of the hosts. */
  readonly origins: Readonly<Record<ExplorerCall['host'], string>>
}

/** What was sent, and the reply. */
export interface Explored {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly reply: OwnReply
  readonly durationMs: number
}

/** The reply does not end, or is too long to be shown. The message is a sentence. */
export class NotShowable extends Error {
  override readonly name = 'NotShowable'
}

const MAX_REPLY_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 30_000
const NONCE_LENGTH = 32
/** A refresh token would outlive the call. */
const ALL_SCOPES = TOKEN_SCOPES.filter((scope) => scope !== 'offline.access')

/**
 * Sends a call to this Plaza, signed with the stored credentials of its caller.
 * @throws NoCaller
 * @throws MalformedForm
 * @throws NotShowable
 */
export async function explore(call: ExplorerCall, services: ExplorerServices): Promise<Explored> {
  const url = new URL(services.origins[call.host] + call.path)
  const authorization = await authorizationOf(call, url, services)
  const headers = [
    ['host', url.host],
    ...call.headers,
    ...(authorization === undefined ? [] : [['authorization', authorization]]),
  ] as (readonly [string, string])[]
  const began = performance.now()
  const reply = await sendWithin(
    services.listeners.get(call.host) as OwnListener,
    { method: call.method, target: url.pathname + url.search, headers: headers.flat(), body: call.body },
    services.machineClock,
  )
  return { url: url.href, headers, reply, durationMs: performance.now() - began }
}

/** Ends calls whose replies do not end: streams. */
async function sendWithin(
  listener: OwnListener,
  request: Parameters<typeof sendToOwn>[1],
  clock: Clock,
): Promise<OwnReply> {
  const [late, over] = [new AbortController(), new AbortController()]
  void clock.at(clock.now() + TIMEOUT_MS, over.signal).then((isLate) => isLate && late.abort())
  try {
    return await sendToOwn(listener, request, MAX_REPLY_BYTES, late.signal)
  } catch (error) {
    if (late.signal.aborted)
      throw new NotShowable(
        `The reply did not end within ${TIMEOUT_MS / 1000} s. The page Streams shows streams.`,
      )
    if (error instanceof ReplyTooLong) throw new NotShowable(error.message)
    throw error
  } finally {
    over.abort()
  }
}

async function authorizationOf(
  call: ExplorerCall,
  url: URL,
  services: ExplorerServices,
): Promise<string | undefined> {
  const { kind, user = '', appId, scopes = ALL_SCOPES } = call.caller
  if (kind === 'none') return undefined
  const app = await callingApp(appId, services)
  if (kind === 'basic') return basicHeader(app.consumerKey, app.consumerSecret)
  if (kind === 'app') return `Bearer ${await bearerOf(app, services)}`
  if (kind === 'oauth2')
    return `Bearer ${await userTokenOf(app, await callingUser(user, services.store), scopes, services)}`
  const pair =
    kind === 'user' ? await tokenOf(app, await callingUser(user, services.store), services) : undefined
  const contentType = call.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return signCall(
    { contentType, body: call.body?.toString() },
    {
      method: call.method,
      url,
      consumerKey: app.consumerKey,
      consumerSecret: app.consumerSecret,
      ...(pair && { token: pair.token, tokenSecret: pair.secret }),
      nonce: randomText(services.random, NONCE_LENGTH),
      timestampSeconds: Math.floor(services.machineClock.now() / 1000),
    },
  ).header
}

/** The bearer token of an app, as the app itself would get it. */
export async function bearerOf(app: App, services: ExplorerServices): Promise<string> {
  const { vocabulary, listeners, origins } = services
  const { status, body } = await sendToOwn(
    listeners.get('core') as OwnListener,
    {
      method: 'POST',
      target: vocabulary.path('/oauth2/token'),
      headers: [
        ...['host', new URL(origins.core).host],
        ...['authorization', basicHeader(app.consumerKey, app.consumerSecret)],
        ...['content-type', FORM_TYPE],
      ],
      body: `${vocabulary.name('grant_type')}=client_credentials`,
    },
    MAX_REPLY_BYTES,
  )
  const text = body.toString()
  const token =
    status === 200 && (JSON.parse(text) as Record<string, unknown>)[vocabulary.name('access_token')]
  if (typeof token !== 'string')
    throw new NotShowable(`The app got no bearer token: status ${status}, ${text}`)
  return token
}
