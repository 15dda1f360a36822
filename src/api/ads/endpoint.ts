import type { Static, TProperties, TSchema } from 'typebox'
import type { PlazaEndpoint, PlazaTerms } from '../../identity/auth/endpoint.ts'
import type { UserCaller } from '../../identity/auth/principal.ts'
import type { EchoRule, Method, Step } from '../../platform/http/contract.ts'
import { type Call, endpointsOf } from '../../platform/http/endpoint.ts'
import type { LimitText } from '../../platform/http/limits.ts'
import { compileReply, type RawJson } from '../../platform/http/reply.ts'
import type { JsonReply } from '../../platform/http/reply-kinds.ts'
import { sampleValue } from '../../platform/http/sample.ts'
import { base36 } from '../../platform/http/schema.ts'
import { byVocabulary, type Vocabulary } from '../../platform/http/vocabulary.ts'
import { accountSteps } from '../../platform/protocols/ads/account.ts'
import type { AdsCode } from '../../platform/protocols/ads/codes.ts'
import type { AdsPart, AdsRight } from '../../platform/protocols/ads/endpoint.ts'
import { type AdsResult, type EnvelopeMember, envelope, wrap } from '../../platform/protocols/ads/envelope.ts'
import { oldVersion } from '../../platform/protocols/ads/old-version.ts'
import { type Host, protocolOf } from '../../platform/protocols/protocols.ts'
import { accountScope } from './accounts/scope.ts'
import type { AdsDependencies } from './dependencies.ts'
import type { AccountScope } from './scope.ts'

/** An endpoint of the advertising API. */
export type AdsEndpoint = PlazaEndpoint<AdsDependencies> & AdsPart

/** Data as a handler returns it. It is read-only, because it may come from a shared list. */
type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

/** The current version of the advertising API. */
export const VERSION = '12'

/** The groups of the documented rate limits (reference: rate limits). */
export const LIMITS = {
  /** All writes share one count. */
  write: { limits: { user: '450/1m' }, limitGroup: 'adsWrites' },
  /**
   * Campaigns, line items and their children are counted per account; the limit per user is rarely
   * reached.
   */
  entity: { limits: { user: '150000/15m', account: '10000/15m' }, totalsLimit: '200/15m' },
  /** Other reads of an account. */
  read: { limits: { user: '2000/15m' }, totalsLimit: '200/15m' },
  estimates: { limits: { user: '400/15m' } },
  insights: { limits: { user: '500/15m' } },
  /** Analytics that are read at once share one count. */
  stats: { limits: { user: '250/15m' }, limitGroup: 'synchronousAnalytics' },
  targeting: { limits: { user: '400/15m' }, limitGroup: 'targetingOptions' },
  /** Uploads of users: each endpoint has its own count (interface, Limits). */
  members: { limits: { user: '1500/1m' } },
  /**
   * Reads without an account. The documented 5 in 15 minutes would fail almost every client, so the
   * operator must enable that limit.
   */
  global: { limits: {}, totalsLimit: '200/15m' },
} as const satisfies Record<string, LimitGroup>

interface LimitGroup {
  limits: Readonly<Record<string, LimitText>>
  limitGroup?: string
  totalsLimit?: LimitText
}

/** What replies and errors repeat, if that is not every parsed parameter. */
export interface Echo {
  /** Parameters that are repeated in another form, by name. */
  readonly parameters?: Readonly<Record<string, EchoRule>>
  /** Constants that replies also repeat. */
  readonly constants?: Readonly<Record<string, string | null>>
  /** Replies also repeat the members of the body. */
  readonly body?: true
}

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
  /** The path after the version: `/accounts/{account_id}/line_items`. */
  path: string
  /** Replaces the current version. */
  version?: string
  summary: string
  description: string
  source: string
  /** The required level of the token; by default, `write` for everything except GET. */
  scopes?: readonly ['read']
  /** The required right, if the path names an account. */
  right?: AdsRight
  /** Additional steps, after those that load the account. */
  steps?: readonly Step[]
  /** The account may be deleted. */
  deletedAccount?: true
  /** By default, those of reads for GET, and otherwise those of writes. */
  limits?: LimitGroup
  params?: Path
  query?: Query
  form?: Form
  notSettable?: readonly string[]
  /** Members that callers cannot set, as the reply shows them: they may be sent back. */
  readOnly?: TProperties
  body?: Body
  maxBodyBytes?: number
  data: Data
  /** The name of the data member; defaults to `data`. */
  member?: 'message'
  beside?: readonly EnvelopeMember[]
  echo?: Echo
  /** A batch repeats its operations instead of its parameters. */
  requests?: boolean
  /** The data of the example in the documents; by default, every member with a sample value. */
  sample?: Static<Data>
  status?: number
  codes?: readonly AdsCode[]
  handle(
    call: AdsCall<Path, Query, Form, Body>,
    context: AdsDependencies,
  ): Promise<AdsResult<DeepReadonly<Static<Data>>> & { request?: RawJson }>
}

export type AdsCall<
  Path extends TProperties,
  Query extends TProperties,
  Form extends TProperties,
  Body extends TSchema,
> = Call<UserCaller, Path & { account_id: ReturnType<typeof base36> }, Query, Form, Body> & AdsExtra

/** What calls of the advertising API have in addition to the members of every call. */
interface AdsExtra {
  /** The account in the path, and the caller's roles in it; only if the path names an account. */
  scope: AccountScope
  /** The host that was called: an endpoint answers on production and on the sandbox. */
  host: Host
  /** The parsed parameters as JSON text, with public names. */
  echo: string
}

interface AdsTerms extends PlazaTerms<AdsDependencies> {
  extra: AdsExtra
}

const endpoint = endpointsOf<AdsTerms>(protocolOf)

const accountId = base36('The advertising account.')

/**
 * Compiles what a reply repeats: the parameters of a call as JSON text, with additional members.
 */
function compileEcho({ constants, body }: Echo, bodySchema: TSchema | undefined, vocabulary: Vocabulary) {
  const named = Object.entries(constants ?? {}).map(([member, value]) => [vocabulary.name(member), value])
  const fixed = JSON.stringify(Object.fromEntries(named))
  const write = body && bodySchema && compileReply(bodySchema, vocabulary)
  if (!write)
    return (_given: unknown, parameters: string) =>
      fixed === '{}' ? parameters : merged([parameters, fixed])
  return (reply: unknown, parameters: string) => merged([parameters, fixed, write(reply)])
}

/** Merges JSON objects, given as text. */
const merged = (objects: readonly string[]) =>
  `{${objects.flatMap((object) => (object === '{}' ? [] : [object.slice(1, -1)])).join(',')}}`

/** Loads the account in the path, and what the caller may do there. */
const findsAccount = (right: AdsRight, deletedToo: boolean) =>
  accountSteps(({ caller }, accountId, { context, host }) =>
    accountScope({ store: (context as Pick<AdsDependencies, 'store'>).store, host }, caller as UserCaller, {
      right,
      accountId,
      deletedToo,
    }),
  )

/**
 * Declares an advertising endpoint: signed by a user, in the envelope `{request: {params}, data}`
 * (interface, Advertising resources). A path with `{account_id}` requires a right in that account.
 */
export function adsEndpoint<
  Data extends TSchema,
  Path extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
  Form extends TProperties = Record<never, never>,
  Body extends TSchema = TSchema,
>(declared: AdsDeclaration<Path, Query, Form, Body, Data>): AdsEndpoint {
  const {
    path,
    version = VERSION,
    right,
    limits = declared.method === 'GET' ? LIMITS.read : LIMITS.write,
    codes = [],
    deletedAccount = false,
    steps = [],
    ...others
  } = declared
  const { data, member = 'data', beside = [], requests = false, echo = {}, sample, handle, ...rest } = others
  const { totalsLimit, ...counted }: LimitGroup = limits
  const scoped = path.includes('{account_id}')
  const reply = envelope({ [member]: data }, beside, requests)
  const echoOf = byVocabulary((vocabulary) => compileEcho(echo, declared.body, vocabulary))
  // A constant takes the place of a member of the same name that was sent back.
  const constants = Object.keys(echo.constants ?? {}).map((name) => [name, 'omitted'] as const)
  const echoRules = { ...echo.parameters, ...Object.fromEntries(constants) }
  const made = endpoint({
    ...rest,
    ...counted,
    host: declared.host ?? 'ads',
    path: `/${version}${path}`,
    auth: ['user'],
    scopes: declared.scopes ?? [declared.method === 'GET' ? 'read' : 'write'],
    steps: [
      ...(version === VERSION ? [] : [oldVersion(version, VERSION)]),
      ...(right === undefined ? [] : findsAccount(right, deletedAccount)),
      ...steps,
    ],
    params: { ...(scoped && { account_id: accountId }), ...declared.params },
    echo: echoRules,
    reply,
    // Derived from the schema, so it matches.
    example: { reply: { ...(sampleValue(reply) as object), ...(sample && { [member]: sample }) } as never },
    async handle(call, context) {
      // The account is set if the path has one, which types cannot express.
      const result = await handle(call as AdsCall<Path, Query, Form, Body>, context)
      return wrap(result, {
        echo: echoOf(context.naming.vocabulary)(call.body, call.echo),
        member,
      }) as JsonReply<never>
    },
  })
  return { ...made, right, codes, totalsLimit }
}
