import { call } from '../../api.ts'

export const CALLERS = [
  ['user', 'User (OAuth 1.0a)'],
  ['app', 'App (bearer token)'],
  ['client', 'Client (OAuth 1.0a without a user)'],
  ['basic', 'Basic'],
  ['none', 'Nobody'],
] as const
export type CallerKind = (typeof CALLERS)[number][0]

export type Host = 'core' | 'ads' | 'sandbox'

/** A call that is ready to be sent. */
export interface ReadyCall {
  readonly host: Host
  readonly method: string
  readonly path: string
  readonly caller: { readonly kind: CallerKind; readonly user?: string; readonly app_id?: string }
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

export interface Sent {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
  }
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly is_base64: boolean
  readonly duration_ms: number
}

/** Sends a call as its caller. */
export const send = async (ready: ReadyCall): Promise<Sent> =>
  (await call<{ data: Sent }>('POST', '/explorer/requests', { body: ready })).data

/**
 * Reads a path of the core API as a user or an app. Resolves to the JSON of the reply.
 * @throws Error with the detail of the reply
 */
export async function readAs<T>(caller: ReadyCall['caller'], path: string, host: Host = 'core'): Promise<T> {
  return replyAs<T>({ host, method: 'GET', path, caller })
}

/** The same for any call. */
async function replyAs<T>(ready: ReadyCall): Promise<T> {
  const { status, body } = await send(ready)
  const reply = body === '' ? undefined : JSON.parse(body)
  if (status < 400) return reply as T
  throw new Error(problemOf(reply) ?? `The call ended with status ${status}.`)
}

interface Problem {
  readonly detail?: string
  readonly title?: string
  readonly errors?: readonly { readonly message?: string; readonly detail?: string }[]
}

const problemOf = (reply: Problem | undefined): string | undefined =>
  reply?.errors
    ?.map(({ message, detail }) => message ?? detail)
    .filter(Boolean)
    .join(' ') ||
  reply?.detail ||
  reply?.title
