import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { BodyMemory, HeldBody } from './input/body-memory.ts'
import { acceptedEncoding, compressed, MIN_COMPRESSED_LENGTH } from './compress.ts'
import type { Dialect, Rendered, Speech } from '../protocols/dialect.ts'
import { dialects } from '../protocols/dialects.ts'
import type { AuthKind, Endpoint, Host, LimitPool } from './endpoint.ts'
import { dialectOf, methodsOf, servedBy } from './endpoint.ts'
import type { EngineCause, Fault, Violation } from './errors.ts'
import { invalid, notJson, Refusal, refuse, unsupported } from './errors.ts'
import { wordsIn } from '../protocols/catalogue.ts'
import { readJson } from '../common/exact-json.ts'
import type { Pair } from './input/form.ts'
import type { Incoming } from './input/incoming.ts'
import {
  formPairs,
  hasBody,
  isForm,
  mediaType,
  queryPairs,
  readBody,
  refuseEncoded,
  bodyTypes,
  MULTIPART_TYPE,
} from './input/incoming.ts'
import type { Counted, Limit, LimitRules } from './limits.ts'
import { limitFor } from './limits.ts'
import { readMultipart } from './input/multipart.ts'
import { Paths } from './paths.ts'
import { encode } from '../common/percent.ts'
import type { SentBack } from './input/read-only.ts'
import type { BodyReader } from './input/reader.ts'
import { compileBody, compileParameters, isTrue, jsonPairs } from './input/reader.ts'
import { compileReply } from './reply.ts'
import type { Reply } from './reply-kinds.ts'
import { plain } from './schema.ts'
import { endOfTurn } from '../common/turn.ts'
import type { Vocabulary } from './vocabulary.ts'
import { renamed } from './vocabulary.ts'

/** Whose calls a limit counts together. */
export interface Pool {
  kind: 'app' | 'user' | 'client' | 'address'
  owner: string
}

/** Who calls, as far as the pipeline must know. */
export interface Caller {
  kind: string
  /** The pool of rate limits that it draws on, and the name of that pool's owner. */
  pool: Pool
  /** What a user token may do; told in a reply header. */
  access?: string
  /** Everything that a signature covers, from wherever it stood. */
  parameters?: readonly Pair[]
  /** For the log. */
  app?: { id: string }
  userId?: string
}

/** The account that a call is about. */
export interface Scope {
  /** The name of its pool of rate limits. */
  accountId: string
}

/**
 * Reads a form body, which a signature covers. `isKnown`: whether the head of the request already showed credentials
 * that exist; the body of any other caller has less memory to come into.
 */
export type ReadForm = (isKnown: boolean) => Promise<void>

/** What the pipeline needs of the program around it. */
export interface PipelineServices {
  speech: Speech
  limitRules: LimitRules
  /** True behind a proxy that ends TLS and is trusted to name the client. */
  behindProxy: boolean
  secure: boolean
  /** Tells who calls. `readForm` is there when the body is a form; its pairs stand in `incoming` afterwards. */
  authenticate(incoming: Incoming, endpoint: Endpoint, readForm: ReadForm | undefined): Promise<Caller>
  /** The memory that bodies may take. */
  bodyMemory: BodyMemory
  /** Throws the refusal of a caller whose rights do not cover the endpoint. */
  authorize(caller: Caller, endpoint: Endpoint): void
  /** The account in the path, for an endpoint with a `right`; throws when the caller has no such right there. */
  scope(caller: Caller, endpoint: Endpoint, accountId: string): Promise<Scope>
  host: Host
  /** The public origin of the host, known once it listens: the realm of challenges. */
  origin(): string
  count(bucket: string, limit: number, windowSeconds: number): Counted | Promise<Counted>
  /** Turns an error that is nobody's refusal into one, and logs it. */
  failure(error: unknown, request: FastifyRequest): Refusal
  /** Told of every reply just before it goes. */
  replied(request: FastifyRequest, reply: FastifyReply): void
  context: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the log line: who called, and why the request was turned down. */
    caller: Caller | undefined
    refusal: Refusal | undefined
    /** When it came, on the clock of `performance`. */
    began: number
  }
}

const NO_CACHE = 'no-cache, no-store, max-age=0'

/** Puts the endpoints of one host on its server, with the refusals for every other path and method. */
export function mount(
  server: FastifyInstance,
  host: Host,
  endpoints: readonly Endpoint[],
  services: PipelineServices,
): void {
  // The pipeline reads bodies itself, after it knows who sends them.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.decorateRequest('caller', undefined)
  server.decorateRequest('refusal', undefined)
  server.decorateRequest('began', 0)

  // Compiled now, not with the first refusal.
  wordsIn(services.speech.vocabulary)
  const refuseUnknown = refuser(host, services, 'not found')
  const dialectAt = compileDialect(host, services.speech)
  const own = endpoints.filter((one) => servedBy(host, one))
  // What only the sandbox knows is unknown on production, even where its path has other methods.
  const unknown = host === 'ads' ? endpoints.filter((one) => one.host === 'sandbox') : []
  const refuseMethod = refuser(host, services, 'method not allowed')
  mountEndpoints(server, { own, unknown }, { refuseUnknown, refuseMethod }, services)
  server.setErrorHandler((error, request, reply) =>
    send(request, reply, dialectAt(request), services.failure(error, request), services),
  )
}

/** Routes each endpoint. Every other method of its path is 405, every other path 404. */
function mountEndpoints(
  server: FastifyInstance,
  { own, unknown }: Record<'own' | 'unknown', readonly Endpoint[]>,
  { refuseUnknown, refuseMethod }: Record<'refuseUnknown' | 'refuseMethod', ReturnType<typeof refuser>>,
  services: PipelineServices,
): void {
  const { vocabulary } = services.speech
  const paths = new Paths()
  // The router takes `/2/things/` for `/2/things/{id}` with an empty id: that is no path of ours.
  const routed = (handler: (request: FastifyRequest, reply: FastifyReply) => unknown): Handler => {
    return async (request, reply) =>
      (hasEmptyParameter(request) ? refuseUnknown(request, reply) : handler(request, reply)) as FastifyReply
  }
  for (const endpoint of own) {
    const handler = compile(endpoint, services)
    for (const template of spokenPaths(endpoint, vocabulary)) {
      const url = routeOf(template)
      const methods = methodsOf(endpoint)
      server.route({ method: methods, url, handler: url.includes(':') ? routed(handler) : handler })
      const known = paths.at(template)
      known.methods.push(...methods)
      known.takes.push(pathTaker(endpoint, template, vocabulary))
    }
  }
  for (const endpoint of unknown)
    for (const template of spokenPaths(endpoint, vocabulary)) paths.at(template).hidden.add(endpoint.method)

  const refuseRest = (request: FastifyRequest, reply: FastifyReply) => {
    const known = paths.find(request.raw.url ?? '/')
    const { method } = request.raw
    if (!known || method === undefined || known.hidden.has(method) || known.methods.includes(method))
      return refuseUnknown(request, reply)
    if (known.methods.length === 0) return refuseUnknown(request, reply)
    return refuseMethod(request, reply.header('allow', known.methods.join(', ')))
  }
  for (const template of new Set(own.flatMap((one) => spokenPaths(one, vocabulary)))) {
    const method = paths.shadowing(template)
    if (method.length > 0)
      server.route({ method, url: routeOf(template), handler: async (...call) => refuseRest(...call) })
  }
  server.setNotFoundHandler(refuseRest)
}

const spokenPaths = ({ path, aliases }: Endpoint, vocabulary: Vocabulary) => [
  ...new Set([path, ...aliases].flatMap(vocabulary.paths)),
]

/** Tells whether the values in a path could be parameters of an endpoint. */
function pathTaker({ pathParams }: Endpoint, template: string, vocabulary: Vocabulary) {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  const read = compileParameters(pathParams, 'path', vocabulary, { ignoreUnknown: true })
  return (values: readonly string[]): boolean => {
    const violations: Violation[] = []
    read(
      names.map((name, at): Pair => [name, values[at] as string]),
      violations,
      undefined,
    )
    return violations.length === 0
  }
}

function hasEmptyParameter(request: FastifyRequest): boolean {
  const values = request.params as Record<string, string>
  for (const name in values) if (values[name] === '') return true
  return false
}

/** Turns down what no endpoint takes, in the dialect of its path. */
export function refuser(host: Host, services: PipelineServices, cause: EngineCause) {
  const refusal = refuse(cause)
  const dialectAt = compileDialect(host, services.speech)
  return (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, dialectAt(request), refusal, services)
}

/** Compiles which dialect an unknown path speaks. */
function compileDialect(host: Host, { vocabulary }: Speech): (request: FastifyRequest) => Dialect {
  const prefixes = vocabulary.prefixes('2')
  return (request) => dialects[dialectOf(host, request.raw.url ?? '/', prefixes)]
}

/** Fastify's spelling of a path template. */
const routeOf = (template: string) => template.replace(/\{([^}]+)\}/g, ':$1')

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * The way of a request, in order: identify, match (the router has done it), authenticate, authorize, limit,
 * read the body, validate, handle, present, reply. Everything that can be known beforehand is compiled here.
 * A form body is read in the middle of authentication, because a signature covers it: after the checks that the head
 * of the request allows.
 */
function compile(endpoint: Endpoint, services: PipelineServices): Handler {
  const dialect = dialects[endpoint.dialect]
  const { vocabulary } = services.speech
  const types = bodyTypes(endpoint)
  const readInput = compileInput(endpoint, services)
  const limit = compileLimit(endpoint, services)
  const present = compilePresenter(endpoint, services)
  const accessHeader = vocabulary.header('x-access-level')
  const accountParameter = vocabulary.name('account_id')
  const challenges = challengesOf(endpoint)

  async function run(request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply> {
    const path = request.params as Record<string, string>
    readInput.path(path, input)
    // Another word than those of the path is another path.
    if (input.violations.some(({ fault }) => fault.kind === 'choice')) throw refuse('not found')
    const incoming = identify(request, services)
    const message = request.raw
    await endOfTurn()
    const early = hasBody(message.headers) && isForm(message.headers)
    if (hasBody(message.headers)) refuseEncoded(message.headers)
    const held = hasBody(message.headers) ? services.bodyMemory.open(incoming.address) : undefined
    input.held = held
    const readForm = early && held ? formReader(incoming, request, endpoint, held) : undefined

    const caller = await services.authenticate(incoming, endpoint, readForm)
    request.caller = caller
    if (readForm) await readForm(true)
    if (held) held.isKnown = true
    if (caller.access !== undefined) reply.header(accessHeader, caller.access)
    const counted = limit.caller(reply, incoming, caller)
    if (counted) await counted
    services.authorize(caller, endpoint)

    let scope: Scope | undefined
    if (endpoint.right !== undefined) {
      if (input.violations.length > 0) throw invalid(...input.violations)
      scope = await services.scope(caller, endpoint, path[accountParameter] ?? '')
      const counting = limit.account(reply, scope)
      if (counting) await counting
    }

    if (types && held) refuseOtherTypes(message.headers, types)
    if (!early && held) await takeRest(incoming, request, endpoint, held)
    if (types && incoming.body?.length && mediaType(message.headers) === undefined)
      throw unsupported('content type', undefined, types)
    readInput.rest(incoming, caller, input)
    const { params, query, form, body } = input
    const { headers } = message
    const result = await endpoint.handle(
      {
        principal: caller,
        scope,
        host: services.host,
        echo: echoText(input),
        params,
        query,
        form,
        body,
        sentBack: input.sentBack,
        files: incoming.files,
        headers,
        address: incoming.address,
      } as never,
      services.context as never,
    )
    return deliver(request, reply, present(reply, result), services)
  }

  return async (request, reply) => {
    const input: Input = {
      params: {},
      query: {},
      form: {},
      body: undefined,
      sentBack: [],
      violations: [],
      echo: [],
    }
    try {
      return await run(request, reply, input)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : services.failure(error, request)
      const understood = `{"params":${echoText(input)}}`
      return send(request, reply, dialect, refusal, services, { understood, challenges })
    } finally {
      input.held?.release()
    }
  }
}

/** How a caller may sign in, in the scheme names of HTTP, for the `WWW-Authenticate` of a 401. Pages have a form. */
function challengesOf({ auth, dialect }: Endpoint): readonly string[] {
  if (dialect === 'page') return []
  return [...new Set(auth.flatMap((kind) => SCHEMES[kind] ?? []))]
}

const SCHEMES: Readonly<Partial<Record<AuthKind, string>>> = {
  app: 'Bearer',
  user: 'OAuth',
  client: 'OAuth',
  pending: 'OAuth',
  basic: 'Basic',
}

/** Sends a reply whose head is set, compressed when it is large and the client takes it. */
function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Readable,
  services: PipelineServices,
): FastifyReply | Promise<FastifyReply> {
  if (typeof body === 'string') {
    if (body.length >= MIN_COMPRESSED_LENGTH && isCompressible(reply))
      return deliverLarge(request, reply, body, services)
    services.replied(request, reply)
    // The runtime leaves the body of a reply to HEAD out, and keeps its headers.
    return reply.send(body)
  }
  services.replied(request, reply)
  return reply.send(request.method === 'HEAD' ? unsent(body) : body)
}

const isCompressible = (reply: FastifyReply) => /json/.test(String(reply.getHeader('content-type')))

async function deliverLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  services: PipelineServices,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request.raw.headers['accept-encoding'])
  const packed = encoding && (await compressed(body, encoding))
  if (packed) reply.header('content-encoding', encoding)
  services.replied(request, reply)
  return reply.send(packed ?? body)
}

/** In place of a body that HEAD leaves out. Its headers are those of the body. */
function unsent(body: Readable): string {
  // The head is on its way: an error can no longer be reported.
  body.on('error', () => undefined).destroy()
  return ''
}

const echoText = ({ echo }: Input) => (echo.length === 0 ? '{}' : `{${echo.join(',')}}`)

/** A request before its body is read; the body and the form are filled in by `takeBody`. */
type Open = { -readonly [Name in keyof Incoming]: Incoming[Name] }

function identify(request: FastifyRequest, { behindProxy, secure }: PipelineServices): Open {
  const message = request.raw
  const { headers } = message
  const target = message.url ?? '/'
  let scheme: Incoming['scheme'] = secure ? 'https' : 'http'
  let address = message.socket.remoteAddress ?? ''
  if (behindProxy) {
    const forwarded = firstOf(headers['x-forwarded-proto'])
    if (forwarded !== undefined && forwarded !== 'https') throw refuse('tls needed')
    scheme = 'https'
    address = firstOf(headers['x-forwarded-for']) ?? address
  }
  if (doubled(message.rawHeaders)) throw refuse('bad authentication data', 'two authorization headers')
  return {
    method: message.method ?? 'GET',
    scheme,
    host: headers.host ?? '',
    target,
    headers,
    query: queryPairs(target),
    form: [],
    fields: [],
    files: [],
    body: undefined,
    address,
  }
}

/** The entry that the nearest proxy added is the last one. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header
  return text?.split(',').at(-1)?.trim()
}

/** Node keeps only the first of two authorization headers; a caller that sends two is not believed. */
function doubled(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count > 1
}

/** Reads a form body once, when it is first asked for. */
function formReader(incoming: Open, request: FastifyRequest, endpoint: Endpoint, held: HeldBody): ReadForm {
  let reading: Promise<void> | undefined
  return (isKnown) => {
    if (reading === undefined) {
      held.isKnown = isKnown
      reading = takeBody(incoming, request, endpoint.maxBodyBytes, held)
    }
    return reading
  }
}

async function takeBody(
  incoming: Open,
  request: FastifyRequest,
  maxBytes: number,
  held: HeldBody,
): Promise<void> {
  incoming.body = await readBody(request.raw, maxBytes, held)
  if (isForm(request.raw.headers)) incoming.form = formPairs(incoming.body)
}

/** What is no body after all may come without a type: that is seen once it was read. */
function refuseOtherTypes(headers: IncomingHttpHeaders, types: readonly string[]): void {
  const type = mediaType(headers)
  if (type !== undefined && !types.includes(type)) throw unsupported('content type', type, types)
}

/** A body that no signature covers: parts of a form, or whatever else the endpoint takes. */
async function takeRest(
  incoming: Open,
  request: FastifyRequest,
  { maxBodyBytes, multipart }: Endpoint,
  held: HeldBody,
): Promise<void> {
  const type = mediaType(incoming.headers)
  if (multipart === undefined || type !== MULTIPART_TYPE)
    return takeBody(incoming, request, maxBodyBytes, held)
  const { fields, files } = await readMultipart(
    await readBody(request.raw, multipart.maxBytes, held),
    incoming.headers,
    multipart.file,
  )
  incoming.fields = fields
  incoming.files = files
}

/** What was read of a request so far. */
interface Input {
  /** The memory of its body. */
  held?: HeldBody | undefined
  params: unknown
  query: unknown
  form: unknown
  body: unknown
  sentBack: SentBack[]
  violations: Violation[]
  /** How parameters were understood: members of a JSON object. Only the advertising dialect repeats them. */
  echo: string[]
}

/** Compiles the reading of everything that an endpoint takes. All violations are told at once. */
function compileInput(endpoint: Endpoint, { speech }: PipelineServices) {
  const { vocabulary } = speech
  const { notSettable, readOnly } = endpoint
  const isAds = endpoint.dialect === 'ads'
  const parameters = (object: TObject, place: 'path' | 'query' | 'form', ignoreUnknown: boolean) =>
    compileParameters(object, place, vocabulary, {
      ignoreUnknown,
      repeatedLists: isAds,
      ...(place === 'form' && { notSettable, readOnly }),
    })
  const takesForm = Object.keys(endpoint.form.properties).length > 0
  const isPage = endpoint.replyKind === 'page'
  const inQuery = new Set(Object.keys(endpoint.query.properties).map((name) => vocabulary.name(name)))
  const readPath = parameters(endpoint.pathParams, 'path', false)
  // The core API refuses a query parameter that it does not know; the OAuth paths pass over it.
  const readQuery = parameters(endpoint.query, 'query', endpoint.dialect !== 'problem')
  const readForm = parameters(endpoint.form, 'form', true)
  const readJson = endpoint.body === undefined ? undefined : compileBody(endpoint.body, vocabulary, readOnly)
  const isUnread = endpoint.body !== undefined && plain(endpoint.body).unread === true

  // What a person types into a form of a page must not be taken from an address, which is kept and shown.
  const formOf = ({ query, form }: Incoming) => (isPage || query.length === 0 ? form : [...query, ...form])
  const pairsOf = (incoming: Incoming, caller: Caller, violations: Violation[]) =>
    isAds
      ? parameterPairs(incoming, violations, readForm.isKnown)
      : withFields(caller.parameters ?? formOf(incoming), incoming)

  return {
    path(values: Record<string, string>, input: Input): void {
      input.params = readPath(Object.entries(values), input.violations, isAds ? input.echo : undefined)
    },
    rest(incoming: Incoming, caller: Caller, input: Input): void {
      const { violations } = input
      const echo = isAds ? input.echo : undefined
      // Only a signature has parameters of its own that may stand in any query.
      const query = caller.parameters ? withoutProtocol(incoming.query, inQuery) : incoming.query
      input.query = readQuery(query, violations, echo)
      if (takesForm)
        input.form = readForm(pairsOf(incoming, caller, violations), violations, echo, input.sentBack)
      if (readJson) input.body = bodyOf(incoming, isUnread ? undefined : readJson, input)
      if (violations.length > 0)
        throw endpoint.onInvalid
          ? new Refusal(endpoint.onInvalid, {
              detail: `wrong: ${violations.map(({ name }) => name).join(', ')}`,
            })
          : invalid(...violations)
    },
  }
}

const withFields = (pairs: readonly Pair[], { fields }: Incoming) =>
  fields.length === 0 ? pairs : [...pairs, ...fields]

/**
 * The parameters of an advertising call: from the query, or from the body, which wins. A body is a form, or a JSON
 * object whose members are parameters.
 */
function parameterPairs(
  incoming: Incoming,
  violations: Violation[],
  isKnown: (name: string) => boolean,
): readonly Pair[] {
  const { headers, body } = incoming
  const isJson = body !== undefined && body.length > 0 && mediaType(headers) === 'application/json'
  const given = isJson ? jsonPairs(bodyJson(body, violations), violations, isKnown) : incoming.form
  if (given.length === 0) return incoming.query
  const inBody = new Set(given.map(([name]) => name))
  return [...incoming.query.filter(([name]) => !inBody.has(name)), ...given]
}

/** The query of a signed request without the signature's own parameters, save those that the endpoint declares. */
function withoutProtocol(pairs: readonly Pair[], declared: ReadonlySet<string>): readonly Pair[] {
  if (pairs.length === 0) return pairs
  return pairs.filter(([name]) => !name.startsWith('oauth_') || declared.has(name))
}

/** The body of an endpoint that declares one: it must be there, and be JSON. Without `read`, its bytes. */
function bodyOf(
  incoming: Incoming,
  read: BodyReader | undefined,
  { violations, sentBack }: Pick<Input, 'violations' | 'sentBack'>,
): unknown {
  const { body } = incoming
  const wrong = (fault: Fault) => void violations.push({ place: 'body', name: '$', value: undefined, fault })
  if (body === undefined || body.length === 0) return wrong({ kind: 'missing' })
  if (!read) return body
  const before = violations.length
  const json = bodyJson(body, violations)
  return violations.length > before ? undefined : read(json, violations, sentBack)
}

function bodyJson(body: Buffer, violations: Violation[]): unknown {
  const read = readJson(body)
  if (read.kind === 'json') return read.json
  violations.push(notJson(read.quoted))
  return undefined
}

/** Compiles the counting of a call against the limit of who calls, and against that of the account. */
function compileLimit(endpoint: Endpoint, { limitRules, speech, count }: PipelineServices) {
  const { vocabulary } = speech
  const limits: Partial<Record<LimitPool | 'totals', Limit>> = {}
  for (const pool of ['app', 'user', 'client', 'address', 'account', 'totals'] as const) {
    const documented = pool === 'totals' ? endpoint.totalsLimit : endpoint.limits[pool]
    const limit = limitFor(limitRules, endpoint, pool, documented)
    if (limit) limits[pool] = limit
  }
  const group = endpoint.limitGroup ?? endpoint.id
  const overLimit = new Refusal(endpoint.overLimit)
  const totalsName = vocabulary.name('with_total_count')
  const headersOf = (prefix: string) =>
    ['limit', 'remaining', 'reset'].map((part) => vocabulary.header(`${prefix}-${part}`)) as Headers
  const ownHeaders = headersOf('x-rate-limit')
  const accountHeaders = headersOf('x-account-rate-limit')
  const limited = Object.keys(limits).length > 0
  const asksTotals = ({ query }: Incoming) =>
    limits.totals !== undefined && query.some(([name, value]) => name === totalsName && isTrue(value))

  async function countOne(reply: FastifyReply, bucket: string, limit: Limit, headers: Headers) {
    const counted = count(bucket, limit.calls, limit.windowSeconds)
    const { allowed, remaining, resetSeconds } = counted instanceof Promise ? await counted : counted
    reply.header(headers[0], limit.calls)
    reply.header(headers[1], remaining)
    reply.header(headers[2], resetSeconds)
    if (!allowed) throw overLimit
  }

  // Undefined where nothing is counted, so that nothing is waited for.
  return {
    caller(reply: FastifyReply, incoming: Incoming, { pool }: Caller): Promise<void> | undefined {
      if (!limited) return undefined
      const own = asksTotals(incoming) ? limits.totals : limits[pool.kind]
      if (!own) return undefined
      const name = own === limits.totals ? `${endpoint.id} totals` : group
      return countOne(reply, `${name} ${pool.owner}`, own, ownHeaders)
    },
    account(reply: FastifyReply, { accountId }: Scope): Promise<void> | undefined {
      if (!limits.account) return undefined
      return countOne(reply, `${group} account ${accountId}`, limits.account, accountHeaders)
    },
  }
}

type Headers = [limit: string, remaining: string, reset: string]

/** Compiles the head and the body of a reply from what a handler returns. */
function compilePresenter(endpoint: Endpoint, services: PipelineServices) {
  const writeValue = compileValue(endpoint, services)
  return (reply: FastifyReply, result: Reply<unknown>): string | Readable => {
    reply.code(result.kind === 'json' ? (result.status ?? endpoint.status) : result.status)
    reply.header('cache-control', NO_CACHE)
    switch (result.kind) {
      case 'json':
        return writeValue(reply, result.value)
      case 'empty':
        return ''
      case 'bytes':
        reply.headers(result.headers as Record<string, string>)
        return result.body
    }
  }
}

/** Compiles how the value of a reply is written. */
function compileValue(
  endpoint: Endpoint,
  { speech }: PipelineServices,
): (reply: FastifyReply, value: unknown) => string {
  switch (endpoint.replyKind) {
    case 'json': {
      const write = compileReply(endpoint.reply, speech.vocabulary)
      return (reply, value) => {
        const body = write(value)
        reply.header('content-type', 'application/json; charset=utf-8')
        return body
      }
    }
    case 'form': {
      const names = renamed(
        speech.vocabulary,
        Object.keys(plain(endpoint.reply).properties ?? {}),
        endpoint.id,
      )
      return (reply, value) => {
        const values = value as Record<string, unknown>
        reply.header('content-type', 'application/x-www-form-urlencoded; charset=utf-8')
        return names
          .map(([neutral, spoken]) => `${encode(spoken)}=${encode(String(values[neutral]))}`)
          .join('&')
      }
    }
    case 'page':
      return () => {
        throw new Error(`${endpoint.id} has no schema that a value could have`)
      }
  }
}

/** What is thrown away of a body that is too large. Many clients hear a refusal only once they have sent everything. */
const MAX_HEARD_OUT_BYTES = 64 * 1024 * 1024

/** Whether the server reads on and throws away what comes, for no longer than any request may take. */
const isHeardOut = ({ headers }: FastifyRequest) =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= MAX_HEARD_OUT_BYTES

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  dialect: Dialect,
  refusal: Refusal,
  services: PipelineServices,
  { understood, challenges = [] }: { understood?: string; challenges?: readonly string[] } = {},
): FastifyReply | Promise<FastifyReply> {
  request.refusal = refusal
  const { status, contentType, body, headers }: Rendered = dialect(refusal, services.speech, understood)
  if (headers) reply.headers(headers)
  if (status === 401 && challenges.length > 0) {
    const realm = services.origin()
    reply.header('www-authenticate', challenges.map((scheme) => `${scheme} realm="${realm}"`).join(', '))
  }
  if (refusal.reason === 'body too large' && !isHeardOut(request)) reply.header('connection', 'close')
  reply.code(status).header('content-type', contentType).header('cache-control', NO_CACHE)
  return deliver(request, reply, body, services)
}
