import { call } from '../../api.ts'

export const CALLERS = [
  ['user', 'User (OAuth 1.0a)'],
  ['oauth2', 'User (OAuth 2.0)'],
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
  readonly caller: {
    readonly kind: CallerKind
    readonly user?: string
    readonly app_id?: string
    readonly scopes?: readonly string[]
  }
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** The fields of a form with files, instead of a body. */
  readonly parts?: readonly (readonly [name: string, value: string | File])[]
}

/** Whether a kind of caller is a user. */
export const isUser = (kind: CallerKind): boolean => kind === 'user' || kind === 'oauth2'

export interface ExplorerReply {
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
export async function send({ parts, ...ready }: ReadyCall): Promise<ExplorerReply> {
  const body = parts ? { ...ready, ...(await multipartOf(parts)) } : ready
  return (await call<{ data: ExplorerReply }>('POST', '/explorer/requests', { body })).data
}

/** A form with files, as the browser would send it. */
async function multipartOf(parts: NonNullable<ReadyCall['parts']>) {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { headers: [['content-type', type]], body_base64: await base64Of(await encoded.blob()) }
}

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error('The file cannot be read.'))
    reader.readAsDataURL(blob)
  })
