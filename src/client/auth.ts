import { base64 } from './machine.ts'
import { encode, type SignatureKeys, type SignedRequest, signatureHeader } from './signature.ts'

/**
 * Posts a form to the core API, without credentials of its own. Resolves to the JSON of the reply.
 */
export type TokenServer = (
  path: string,
  form: Readonly<Record<string, string>>,
  authorization?: string,
) => Promise<Record<string, unknown>>

/** Who calls. */
export interface Auth {
  /** The value of the Authorization header; undefined for none. */
  header(request: SignedRequest, server: TokenServer): Promise<string | undefined>
  /**
   * Called once when a call is rejected with 401. Resolves to whether there are other credentials
   * now, with which the call is repeated.
   */
  renew?(rejected: string | undefined, server: TokenServer): Promise<boolean>
}

/** A user, with OAuth 1.0a; the app alone where there is no token, for requests of tokens. */
export const oauth1 = (keys: SignatureKeys): Auth => ({
  header: (request) => signatureHeader(keys, request),
})

/** A bearer: of an app, or an access token of OAuth 2.0 that is not refreshed. */
export const bearer = (token: string): Auth => ({ header: async () => `Bearer ${token}` })

const basicHeader = (user: string, password: string) =>
  `Basic ${base64(new TextEncoder().encode(`${user}:${password}`))}`

/** Basic credentials: a key and its secret, for requests of tokens. */
export const basic = (user: string, password: string): Auth => ({
  header: async () => basicHeader(user, password),
})

/** No one: the call has no credentials. */
export const anonymous: Auth = { header: async () => undefined }

/** An app, with a bearer that is requested at the first call. */
export function appOnly(keys: { readonly consumerKey: string; readonly consumerSecret: string }): Auth {
  const authorization = basicHeader(encode(keys.consumerKey), encode(keys.consumerSecret))
  let token: Promise<string> | undefined
  const request = (server: TokenServer): Promise<string> => {
    const requested = server('/oauth2/token', { grant_type: 'client_credentials' }, authorization).then(
      (reply) => `Bearer ${reply.access_token}`,
    )
    token = requested
    // The next call requests it again.
    requested.catch(() => {
      if (token === requested) token = undefined
    })
    return requested
  }
  return {
    header: (_, server) => token ?? request(server),
    async renew(rejected, server) {
      const current = await token
      return (current === rejected ? await request(server) : current) !== rejected
    },
  }
}

/** Tokens of a user, of OAuth 2.0. */
export interface OAuth2Tokens {
  readonly accessToken: string
  /** With the scope `offline.access`. */
  readonly refreshToken?: string | undefined
}

export interface OAuth2Client {
  readonly clientId: string
  /** Of a confidential client. */
  readonly clientSecret?: string | undefined
}

export interface OAuth2Options extends OAuth2Client, OAuth2Tokens {
  /**
   * Called with the new tokens when they were refreshed. Store them: the earlier refresh token does
   * not work again. The calls that wait for them go on when it resolves.
   */
  readonly onTokens?: (tokens: OAuth2Tokens) => void | Promise<void>
}

/** How a client identifies itself at the token endpoint: confidential ones by their secret. */
export function clientForm({ clientId, clientSecret }: OAuth2Client): {
  form: Record<string, string>
  authorization: string | undefined
} {
  return clientSecret === undefined
    ? { form: { client_id: clientId }, authorization: undefined }
    : { form: {}, authorization: basicHeader(encode(clientId), encode(clientSecret)) }
}

export const tokensOf = (reply: Record<string, unknown>): OAuth2Tokens => ({
  accessToken: String(reply.access_token),
  refreshToken: reply.refresh_token as string | undefined,
})

/**
 * A user, with OAuth 2.0. When a call is rejected because the access token has ended, it is
 * refreshed, once for all calls that need it, and the calls are repeated.
 */
export function oauth2({ onTokens, ...options }: OAuth2Options): Auth {
  let tokens: OAuth2Tokens = options
  let refreshing: Promise<void> | undefined
  async function refresh(refreshToken: string, server: TokenServer): Promise<void> {
    const { form, authorization } = clientForm(options)
    const grant = { ...form, grant_type: 'refresh_token', refresh_token: refreshToken }
    tokens = { refreshToken, ...definedIn(tokensOf(await server('/2/oauth2/token', grant, authorization))) }
    await onTokens?.(tokens)
  }
  const header = () => `Bearer ${tokens.accessToken}`
  return {
    header: async () => {
      await refreshing
      return header()
    },
    async renew(rejected, server) {
      const { refreshToken } = tokens
      if (header() === rejected && refreshToken !== undefined) {
        refreshing ??= refresh(refreshToken, server).finally(() => {
          refreshing = undefined
        })
        await refreshing
      }
      return header() !== rejected
    },
  }
}

/** Without members that are undefined. */
const definedIn = (tokens: OAuth2Tokens): OAuth2Tokens =>
  tokens.refreshToken === undefined ? { accessToken: tokens.accessToken } : tokens
