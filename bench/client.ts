import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { basicHeader } from '../src/identity/auth/basic.ts'
import { signRequest } from '../src/identity/auth/signature/sign.ts'
import { APP, PUBLIC_HOST } from './processes.ts'

// A caller of a running Plaza that signs as the seeded app.

/** The token that signs; if absent, only the app's key. */
export type Signer = { token: string; secret: string } | 'app'

let serial = 0
const start = randomBytes(8).toString('hex')

/** The Authorization of a request by the seeded app, with a nonce of its own. */
export function signedHeader(
  method: string,
  path: string,
  as: Signer = APP,
  form: readonly [string, string][] = [],
): string {
  return signRequest({
    method,
    url: `https://${PUBLIC_HOST}${path}`,
    form,
    consumerKey: APP.consumerKey,
    consumerSecret: APP.consumerSecret,
    ...(as !== 'app' && { token: as.token, tokenSecret: as.secret }),
    nonce: `${start}${(serial++).toString(36)}`,
    timestampSeconds: Math.floor(Date.now() / 1000),
  }).header
}

export const basic: string = basicHeader(APP.consumerKey, APP.consumerSecret)

export interface Answer {
  status: number
  text: string
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  authorization: string
  json?: unknown
  form?: readonly [string, string][]
}

/** Calls over a pool of connections to one listener on this machine. */
export class Client {
  readonly #pool: Pool

  constructor({ port, tls, connections }: { port: number; tls: boolean; connections: number }) {
    this.#pool = new Pool(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`, {
      connections,
      connect: { rejectUnauthorized: false },
    })
  }

  async send({ method, path, authorization, json, form }: Call): Promise<Answer> {
    const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams([...form]).toString()
    const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const reply = await this.#pool.request({
      method,
      path,
      headers: { host: PUBLIC_HOST, authorization, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    return { status: reply.statusCode, text: await reply.body.text() }
  }

  /** Signs and sends. */
  signed(call: Omit<Call, 'authorization'>, as: Signer = APP): Promise<Answer> {
    return this.send({ ...call, authorization: signedHeader(call.method, call.path, as, call.form) })
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

/** Requests that must succeed. */
export function expectStatus(answer: Answer, status: number, what: string): Answer {
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${answer.text}`)
  return answer
}

/** The app's bearer, issued if it has none. */
export async function bearerOf(client: Client, authorization = basic): Promise<string> {
  const answer = await client.send({
    method: 'POST',
    path: '/oauth2/token',
    authorization,
    form: [['grant_type', 'client_credentials']],
  })
  expectStatus(answer, 200, 'a bearer')
  return (JSON.parse(answer.text) as { access_token: string }).access_token
}

/** Registers a webhook. Resolves to its id. */
export async function register(client: Client, url: string): Promise<string> {
  const answer = await client.signed({ method: 'POST', path: '/2/webhooks', json: { url } })
  expectStatus(answer, 200, 'a webhook')
  return (JSON.parse(answer.text) as { data: { id: string } }).data.id
}
