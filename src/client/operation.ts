import { jsonText } from './exact-json.ts'
import { encode, type Pairs } from './signature.ts'

/** How an operation is called, as the generated tables say: `POST /2/posts json`. */
export interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  /**
   * `json`: parameters that are neither in the path nor in `query` are members of the body. `body`:
   * the parameter `body` is the body. `form`, `multipart`: what is not in the path is a field.
   */
  readonly body: 'none' | 'json' | 'body' | 'form' | 'multipart'
  readonly query: readonly string[]
  /** The parameter that continues a list. */
  readonly page: string | undefined
  readonly isStream: boolean
  /** The parameter of a stream that asks for what the last minutes sent. */
  readonly backfill: string | undefined
}

export function described(name: string, line: string): Described {
  const [method = '', path = '', ...words] = line.split(' ')
  const found = new Map(words.map((word) => word.split(':') as [string, string | undefined]))
  const body = (['json', 'body', 'form', 'multipart'] as const).find((one) => found.has(one)) ?? 'none'
  return {
    name,
    method,
    path,
    body,
    query: found.get(body)?.split(',') ?? [],
    page: found.get('page'),
    isStream: found.has('stream'),
    backfill: found.get('stream') || undefined,
  }
}

/** A request that can be signed and sent, more than once. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  /** Fields of a form that a signature covers. */
  readonly form?: Pairs
  readonly body?: string | ArrayBuffer
  readonly type?: string
}

export type Values = Readonly<Record<string, unknown>>

const FORM = 'application/x-www-form-urlencoded'

/** The request of an operation. @throws TypeError when a parameter of the path is missing */
export async function requestOf(origin: string, one: Described, given: Values): Promise<Outgoing> {
  const rest = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const path = one.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === '') throw new TypeError(`${one.name} needs the parameter ${name}`)
    return encode(textOf(value))
  })
  const isQuery = (name: string) => one.body === 'none' || one.query.includes(name)
  const query = Object.entries(rest).filter(
    ([name]) => isQuery(name) && !(one.body === 'body' && name === 'body'),
  )
  const fields = Object.entries(rest).filter(([name]) => !isQuery(name))
  const url = origin + path + (query.length > 0 ? `?${encoded(pairsOf(query))}` : '')
  return { method: one.method, url, ...(await bodyOf(one, fields, rest.body)) }
}

type Body = Pick<Outgoing, 'form' | 'body' | 'type'>

async function bodyOf(one: Described, fields: [string, unknown][], whole: unknown): Promise<Body> {
  switch (one.body) {
    case 'none':
      return {}
    case 'json':
      return fields.length > 0 ? jsonBody(Object.fromEntries(fields)) : {}
    case 'body':
      return whole === undefined ? {} : jsonBody(whole)
    case 'multipart':
      return fields.some(([, value]) => isBytes(value)) ? multipart(fields) : formBody(fields)
    case 'form':
      return formBody(fields)
  }
}

const jsonBody = (value: unknown): Body => ({ body: jsonText(value), type: 'application/json' })

function formBody(fields: [string, unknown][]): Body {
  const form = pairsOf(fields)
  return form.length > 0 ? { form, body: encoded(form), type: FORM } : {}
}

const isBytes = (value: unknown): value is Blob | Uint8Array<ArrayBuffer> =>
  value instanceof Blob || value instanceof Uint8Array

/** As bytes, which any `fetch` sends, more than once. */
async function multipart(fields: readonly (readonly [string, unknown])[]): Promise<Body> {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (!isBytes(value)) form.append(name, textOf(value))
    else form.append(name, value instanceof Blob ? value : new Blob([value]), name)
  }
  const whole = new Response(form)
  return { type: whole.headers.get('content-type') ?? '', body: await whole.arrayBuffer() }
}

const pairsOf = (values: readonly (readonly [string, unknown])[]): Pairs =>
  values.map(([name, value]) => [name, textOf(value)] as const)

const encoded = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')

/** Lists are separated by commas. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value)
}
