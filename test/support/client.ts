import { Agent, buildConnector, fetch } from 'undici'
import type { Plaza } from '../../src/app/server.ts'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import { signRequest } from '../../src/identity/auth/signature/sign.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'

/** A complete reply. */
export interface Reply {
  status: number
  headers: Record<string, string>
  /** The `set-cookie` lines. */
  cookies?: string[]
  text: string
  /** Parsed if it is JSON, otherwise undefined. */
  json: unknown
}

export interface Sent {
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, string>
  /** Sent as it is; its type is in the headers. */
  body?: Buffer
}

/** The keys that sign. */
export interface Keys {
  consumerKey: string
  consumerSecret: string
  token?: string
  tokenSecret?: string
}

/** The demo app and its first user. */
export function demoKeys(plaza: Plaza): Required<Keys> {
  const app = plaza.seeded?.apps[0]
  const grant = app?.grants[0]
  if (!app || !grant) throw new Error('this Plaza was not seeded with the demo')
  const { consumerKey, consumerSecret } = app
  return { consumerKey, consumerSecret, token: grant.token, tokenSecret: grant.secret }
}

/** A client over TLS that trusts the generated authority. Close it. */
export class Client {
  readonly #agent: Agent
  readonly #plaza: Plaza

  /** `at`: the real address of the public host of this Plaza. */
  constructor(plaza: Plaza, at?: { host: string; port: number }) {
    this.#plaza = plaza
    const connect = buildConnector({ ...(plaza.caPem !== undefined && { ca: plaza.caPem }) })
    this.#agent = new Agent({
      connect: (options, callback) =>
        options.hostname === at?.host
          ? connect(
              { ...options, hostname: '127.0.0.1', port: String(at.port), servername: at.host },
              callback,
            )
          : connect(options, callback),
    })
  }

  /** Sends a request as it is. A path goes to the core listener. */
  async send(
    method: string,
    target: string,
    { headers = {}, json, form, body: bytes }: Sent = {},
  ): Promise<Reply> {
    const url = target.startsWith('http') ? target : this.#plaza.urls.core + target
    const text = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString()
    const body = bytes ?? text
    const type = json !== undefined ? 'application/json' : form && 'application/x-www-form-urlencoded'
    const response = await fetch(url, {
      method,
      dispatcher: this.#agent,
      redirect: 'manual',
      headers: { ...(type && { 'content-type': type }), ...headers },
      ...(body !== undefined && { body }),
    })
    const replied = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      cookies: response.headers.getSetCookie(),
      text: replied,
      json: isJson && replied !== '' ? JSON.parse(replied) : undefined,
    }
  }

  /** The Authorization header of a signed request. */
  sign(method: string, target: string, keys: Keys, form?: Record<string, string>): string {
    const url = target.startsWith('http') ? target : this.#plaza.urls.core + target
    const { header } = signRequest({
      method,
      url,
      ...keys,
      nonce: randomText(systemRandom, 32),
      timestampSeconds: Math.floor(this.#plaza.context.machineClock.now() / 1000),
      ...(form && { form: Object.entries(form) }),
    })
    return header
  }

  /** Sends a request with an OAuth 1.0a signature. */
  signed(method: string, target: string, keys: Keys, sent: Sent = {}): Promise<Reply> {
    const authorization = this.sign(method, target, keys, sent.form)
    return this.send(method, target, { ...sent, headers: { ...sent.headers, authorization } })
  }

  /** The app's bearer. */
  async bearer({ consumerKey, consumerSecret }: Keys): Promise<string> {
    const reply = await this.send('POST', '/oauth2/token', {
      headers: { authorization: basicHeader(consumerKey, consumerSecret) },
      form: { grant_type: 'client_credentials' },
    })
    return (reply.json as { access_token: string }).access_token
  }

  close(): Promise<void> {
    return this.#agent.close()
  }
}
