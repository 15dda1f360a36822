import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { UserCaller } from '../auth/principal.ts'
import type { Context } from '../context.ts'
import { endpoint } from '../endpoint.ts'
import type { AdsCode } from '../protocols/ads/codes.ts'
import type { Call, Endpoint, Method, Right } from '../http/endpoint.ts'
import type { LimitText } from '../http/limits.ts'
import { Written } from '../http/reply.ts'
import { json } from '../http/reply-kinds.ts'
import { sampleValue } from '../http/openapi/sample.ts'
import { base36, component, nullable, plain } from '../http/schema.ts'
import type { AccountScope } from './scope.ts'

/** The version of the advertising API. */
const VERSION = '12'

/** The groups of the documented rate limits (reference: rate limits). */
export const LIMITS = {
  /** Everything that writes shares one count. */
  write: { limits: { user: '450/1m' }, limitGroup: 'adsWrites' },
  /** Campaigns, line items and what hangs on them: counted by account; the user's own figure is hardly met. */
  entity: { limits: { user: '150000/15m', account: '10000/15m' }, totalsLimit: '200/15m' },
  /** Other reads of an account. */
  read: { limits: { user: '2000/15m' }, totalsLimit: '200/15m' },
  estimates: { limits: { user: '400/15m' } },
  targeting: { limits: { user: '400/15m' }, limitGroup: 'targetingOptions' },
  /** Uploads of users: each endpoint has a count of its own (interface, Limits). */
  members: { limits: { user: '1500/1m' } },
  /** Reads without an account: the chart's 5 in 15 minutes would stop every first try, so an operator asks for it. */
  global: { limits: {}, totalsLimit: '200/15m' },
} as const satisfies Record<string, LimitGroup>

interface LimitGroup {
  limits: Endpoint['limits']
  limitGroup?: string
  totalsLimit?: LimitText
}

/** What a handler of an advertising endpoint gives back; the envelope is put around it. */
export interface AdsResult<Data> {
  data: Data | Written
  next_cursor?: string | null
  total_count?: number
  data_type?: string
}

/** What stands beside `data` in a reply. */
export type Beside = 'cursor' | 'optional cursor' | 'total' | 'optional total' | 'type'

interface AdsDeclaration<
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
  Data extends TSchema,
> {
  id: string
  /** `sandbox`: unknown on production. */
  host?: 'ads' | 'sandbox'
  method: Method
  /** Behind the version: `/accounts/{account_id}/line_items`. */
  path: string
  /** In place of the current one. */
  version?: string
  summary: string
  description: string
  source: string
  /** What the token must cover; what is no GET writes, unless said otherwise. */
  access?: 'read'
  /** Needed when the path names an account. */
  right?: Right
  limits: LimitGroup
  params?: Path
  query?: Query
  form?: Form
  notSettable?: readonly string[]
  /** Members that cannot be set, as the reply shows them: they may be sent back. */
  readOnly?: TProperties
  body?: Body
  maxBodyBytes?: number
  data: Data
  /** What a reply calls its data; `data` unless said otherwise. */
  member?: 'message'
  beside?: readonly Beside[]
  /** A batch shows its operations in place of its parameters. */
  requests?: boolean
  status?: number
  codes?: readonly AdsCode[]
  handle(
    call: AdsCall<Path, Query, Form, Body>,
    context: Context,
  ): Promise<AdsResult<Static<Data>> & { request?: Written }>
}

export type AdsCall<
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
> = Call<UserCaller, AccountScope, Path & { account_id: ReturnType<typeof base36> }, Query, Form, Body>

const accountId = base36('The advertising account.')

/**
 * Declares an advertising endpoint: signed by a user, in the envelope `{request: {params}, data}` (interface,
 * Advertising resources). A path with `{account_id}` needs a right there.
 */
export function adsEndpoint<
  Data extends TSchema,
  Path extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
  Form extends TProperties = Record<never, never>,
  Body extends TSchema = TSchema,
>(declared: AdsDeclaration<Path, Query, Form, Body, Data>): Endpoint {
  const { path, version = VERSION, limits, beside = [], requests = false, handle, ...others } = declared
  const { data, member = 'data', ...rest } = others
  const scoped = path.includes('{account_id}')
  const reply = envelope({ [member]: data }, beside, requests)
  return endpoint({
    ...rest,
    ...limits,
    host: declared.host ?? 'ads',
    path: `/${version}${path}`,
    auth: ['user'],
    access: declared.access ?? (declared.method === 'GET' ? 'read' : 'write'),
    params: { ...(scoped && { account_id: accountId }), ...declared.params },
    reply,
    example: { reply: sampleValue(reply) },
    async handle(call: never, context: Context) {
      const { echo } = call as { echo: string }
      const { request, data: made, ...result } = await handle(call, context)
      return json({ request: request ?? new Written(`{"params":${echo}}`), ...result, [member]: made })
    },
  } as never)
}

const open = Type.Object({}, { description: 'How the parameters were understood.' })

const echo = component('RequestEcho', Type.Object({ params: open }, { additionalProperties: false }))

const batchEcho = component(
  'OperationEcho',
  Type.Object({ operation_type: Type.String(), params: open }, { additionalProperties: false }),
)

/**
 * What a reply is called in the documents, after its data: `LineItemReply` has one, `LineItemList` a page, `LineItemBatch`
 * the results of operations, `LineItemResults` all that there are or were made.
 */
function replyName(data: TProperties, beside: readonly Beside[], requests: boolean): string | undefined {
  const [schema] = Object.values(data).map(plain)
  const isEither = beside.includes('optional cursor')
  if (schema?.component) return schema.component.name + (isEither ? 'Written' : 'Reply')
  const item = schema?.items?.component
  if (!item) return undefined
  if (requests) return `${item.name}Batch`
  return item.name + (beside.includes('cursor') ? 'List' : 'Results')
}

function envelope(data: TProperties, beside: readonly Beside[], requests: boolean): TObject {
  const name = replyName(data, beside, requests)
  const whole = Type.Object(
    {
      request: requests ? Type.Array(batchEcho) : echo,
      ...(beside.includes('cursor') && {
        next_cursor: nullable(Type.String({ description: 'Of the next page; null on the last.' })),
      }),
      ...(beside.includes('optional cursor') && {
        next_cursor: Type.Optional(nullable(Type.String({ description: 'Where the reply is a list.' }))),
      }),
      ...(beside.includes('total') && { total_count: Type.Integer({ minimum: 0 }) }),
      ...(beside.includes('optional total') && {
        total_count: Type.Optional(Type.Integer({ minimum: 0, description: 'With `with_total_count`.' })),
      }),
      ...(beside.includes('type') && { data_type: Type.String() }),
      ...data,
    },
    { additionalProperties: false },
  )
  return name === undefined ? whole : component(name, whole)
}
