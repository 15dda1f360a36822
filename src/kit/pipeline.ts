import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Dialect, Rendered, Speech } from './dialects/dialect.ts'
import { dialects } from './dialects/dialects.ts'
import type { Endpoint, Host, LimitPool, PageReply } from './endpoint.ts'
import { dialectOf, methodsOf, servedBy } from './endpoint.ts'
import type { Cause, Fault, Violation } from './errors.ts'
import { invalid, Refusal, refuse } from './errors.ts'
import { exactJson } from './exact-json.ts'
import type { Pair } from './form.ts'
import type { Incoming } from './incoming.ts'
import { formPairs, hasBody, isForm, mediaType, queryPairs, readBody, refuseEncoded } from './incoming.ts'
import type { Counted, Limit, LimitRules } from './limits.ts'
import { limitFor } from './limits.ts'
import { readMultipart } from './multipart.ts'
import { encode } from './percent.ts'
import type { BodyReader } from './reader.ts'
import { compileBody, compileParameters, jsonPairs } from './reader.ts'
import { Answered, compileReply } from './reply.ts'
import { plain } from './schema.ts'
import { endOfTurn } from './turn.ts'
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

/** What the pipeline needs of the program around it. */
export interface PipelineServices {
  speech: Speech
  limitRules: LimitRules
  /** True behind a proxy that ends TLS and is trusted to name the client. */
  behindProxy: boolean
  secure: boolean
  authenticate(incoming: Incoming, endpoint: Endpoint): Promise<Caller>
  /** Throws the refusal of a caller whose rights do not cover the endpoint. */
  authorize(caller: Caller, endpoint: Endpoint): void
  /** The account in the path, for an endpoint with a `right`; throws when the caller has no such right there. */
  scope(caller: Caller, endpoint: Endpoint, accountId: string): Promise<Scope>
  host: Host
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

  const refuseUnknown = refuser(host, services, 'not found')
  const own = endpoints.filter((one) => servedBy(host, one))
  // What only the sandbox knows is unknown on production, even where its path has other methods.
  const unknown = host === 'ads' ? endpoints.filter((one) => one.host === 'sandbox') : []
  const refuseMethod = refuser(host, services, 'method not allowed')
  mountEndpoints(server, { own, unknown }, { refuseUnknown, refuseMethod }, services)
  server.setNotFoundHandler(refuseUnknown)
  server.setErrorHandler((error, request, reply) =>
    send(request, reply, dialectAt(host, request), services.failure(error, request), services),
  )
}

/** Routes each endpoint, and refuses every other method of its path. */
function mountEndpoints(
  server: FastifyInstance,
  { own, unknown }: Record<'own' | 'unknown', readonly Endpoint[]>,
  { refuseUnknown, refuseMethod }: Record<'refuseUnknown' | 'refuseMethod', ReturnType<typeof refuser>>,
  services: PipelineServices,
): void {
  // The router takes `/2/things/` for `/2/things/{id}` with an empty id: that is no path of ours.
  const routed = (handler: (request: FastifyRequest, reply: FastifyReply) => unknown): Handler => {
    return async (request, reply) =>
      (hasEmptyParameter(request) ? refuseUnknown(request, reply) : handler(request, reply)) as FastifyReply
  }
  const methodsByPath = new Map<string, { url: string; methods: string[] }>()
  const routesOf = ({ path, aliases }: Endpoint) =>
    [path, ...aliases].map((one) => routeOf(services.speech.vocabulary.path(one)))
  for (const endpoint of own) {
    const handler = compile(endpoint, services)
    const taken = methodsOf(endpoint)
    for (const url of routesOf(endpoint)) {
      server.route({ method: taken, url, handler: url.includes(':') ? routed(handler) : handler })
      const known = methodsByPath.get(shapeOf(url))
      if (known) known.methods.push(...taken)
      else methodsByPath.set(shapeOf(url), { url, methods: [...taken] })
    }
  }
  const hidden = new Set(
    unknown.flatMap((one) => routesOf(one).map((url) => `${one.method} ${shapeOf(url)}`)),
  )
  for (const [shape, { url, methods }] of methodsByPath) {
    const others = METHODS.filter((one) => !methods.includes(one))
    const secret = others.filter((one) => hidden.has(`${one} ${shape}`))
    if (secret.length > 0) server.route({ method: secret, url, handler: routed(refuseUnknown) })
    server.route({
      method: others.filter((one) => !secret.includes(one)),
      url,
      handler: routed(async (request, reply) =>
        refuseMethod(request, reply.header('allow', methods.join(', '))),
      ),
    })
  }
}

/** Two endpoints may name the parameter at one place differently. */
const shapeOf = (url: string) => url.replace(/:[^/]+/g, ':')

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function hasEmptyParameter(request: FastifyRequest): boolean {
  const values = request.params as Record<string, string>
  for (const name in values) if (values[name] === '') return true
  return false
}

/** Turns down what no endpoint takes, in the dialect of its path. */
export function refuser(host: Host, services: PipelineServices, cause: Cause) {
  const refusal = refuse(cause)
  return (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, dialectAt(host, request), refusal, services)
}

const dialectAt = (host: Host, request: FastifyRequest) => dialects[dialectOf(host, request.raw.url ?? '/')]

/** Fastify's spelling of a path template. */
const routeOf = (template: string) => template.replace(/\{([^}]+)\}/g, ':$1')

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * The way of a request, in order: identify, match (the router has done it), authenticate, authorize, limit,
 * read the body, validate, handle, present, reply. Everything that can be known beforehand is compiled here.
 * A form body is read before authentication, because a signature covers it.
 */
function compile(endpoint: Endpoint, services: PipelineServices): Handler {
  const dialect = dialects[endpoint.dialect]
  const { vocabulary } = services.speech
  const readInput = compileInput(endpoint, services)
  const limit = compileLimit(endpoint, services)
  const present = compilePresenter(endpoint, services)
  const accessHeader = vocabulary.header('x-access-level')
  const accountParameter = vocabulary.name('account_id')

  async function run(request: FastifyRequest, reply: FastifyReply, input: Input): Promise<FastifyReply> {
    const incoming = identify(request, services)
    const message = request.raw
    await endOfTurn()
    const early = hasBody(message.headers) && isForm(message.headers)
    if (hasBody(message.headers)) refuseEncoded(message.headers)
    if (early) await takeBody(incoming, request, endpoint.maxBodyBytes)

    const caller = await services.authenticate(incoming, endpoint)
    request.caller = caller
    if (caller.access !== undefined) reply.header(accessHeader, caller.access)
    services.authorize(caller, endpoint)

    const counted = limit.caller(reply, incoming, caller)
    if (counted) await counted
    const path = request.params as Record<string, string>
    readInput.path(path, input)
    let scope: Scope | undefined
    if (endpoint.right !== undefined) {
      if (input.violations.length > 0) throw invalid(...input.violations)
      scope = await services.scope(caller, endpoint, path[accountParameter] ?? '')
      const counting = limit.account(reply, scope)
      if (counting) await counting
    }

    if (!early && hasBody(message.headers)) await takeRest(incoming, request, endpoint)
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
        files: incoming.files,
        headers,
        address: incoming.address,
      } as never,
      services.context as never,
    )
    const text = present(reply, result)
    services.replied(request, reply)
    return reply.send(request.method === 'HEAD' ? unsent(text) : text)
  }

  return async (request, reply) => {
    const input: Input = { params: {}, query: {}, form: {}, body: undefined, violations: [], echo: [] }
    try {
      return await run(request, reply, input)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : services.failure(error, request)
      return send(request, reply, dialect, refusal, services, `{"params":${echoText(input)}}`)
    }
  }
}

/** In place of a body that HEAD leaves out. Its headers are those of the body. */
function unsent(body: string | Readable): string {
  // Nobody is left to be told that it could not be opened.
  if (typeof body !== 'string') body.on('error', () => undefined).destroy()
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

async function takeBody(incoming: Open, request: FastifyRequest, maxBytes: number): Promise<void> {
  incoming.body = await readBody(request.raw, maxBytes)
  if (isForm(request.raw.headers)) incoming.form = formPairs(incoming.body)
}

/** A body that no signature covers: parts of a form, or whatever else the endpoint takes. */
async function takeRest(
  incoming: Open,
  request: FastifyRequest,
  { maxBodyBytes, multipart }: Endpoint,
): Promise<void> {
  const type = mediaType(incoming.headers)
  if (multipart === undefined || type !== 'multipart/form-data')
    return takeBody(incoming, request, maxBodyBytes)
  const { fields, files } = await readMultipart(
    await readBody(request.raw, multipart.maxBytes),
    incoming.headers,
  )
  incoming.fields = fields
  incoming.files = files
}

/** What was read of a request so far. */
interface Input {
  params: unknown
  query: unknown
  form: unknown
  body: unknown
  violations: Violation[]
  /** How parameters were understood: members of a JSON object. Only the advertising dialect repeats them. */
  echo: string[]
}

/** Compiles the reading of everything that an endpoint takes. All violations are told at once. */
function compileInput(endpoint: Endpoint, { speech }: PipelineServices) {
  const { vocabulary } = speech
  const { notSettable } = endpoint
  const parameters = (object: TObject, place: 'path' | 'query' | 'form', ignoreUnknown: boolean) =>
    compileParameters(object, place, vocabulary, {
      ignoreUnknown,
      ...(place === 'form' && { notSettable }),
    })
  const takesForm = Object.keys(endpoint.form.properties).length > 0
  const isPage = endpoint.replyKind === 'page'
  const isAds = endpoint.dialect === 'ads'
  const inQuery = new Set(Object.keys(endpoint.query.properties).map((name) => vocabulary.name(name)))
  const readPath = parameters(endpoint.pathParams, 'path', false)
  // The core API refuses a query parameter that it does not know; the OAuth paths pass over it.
  const readQuery = parameters(endpoint.query, 'query', endpoint.dialect !== 'problem')
  const readForm = parameters(endpoint.form, 'form', true)
  const readJson = endpoint.body === undefined ? undefined : compileBody(endpoint.body, vocabulary)
  const isUnread = endpoint.body !== undefined && plain(endpoint.body).unread === true

  // What a person types into a form of a page must not be taken from an address, which is kept and shown.
  const formOf = ({ query, form }: Incoming) => (isPage || query.length === 0 ? form : [...query, ...form])
  const pairsOf = (incoming: Incoming, caller: Caller, violations: Violation[]) =>
    isAds ? parameterPairs(incoming, violations) : withFields(caller.parameters ?? formOf(incoming), incoming)

  return {
    path(values: Record<string, string>, input: Input): void {
      input.params = readPath(Object.entries(values), input.violations, isAds ? input.echo : undefined)
    },
    rest(incoming: Incoming, caller: Caller, input: Input): void {
      const { violations } = input
      const echo = isAds ? input.echo : undefined
      input.query = readQuery(withoutProtocol(incoming.query, inQuery), violations, echo)
      if (takesForm) input.form = readForm(pairsOf(incoming, caller, violations), violations, echo)
      if (readJson) input.body = bodyOf(incoming, isUnread ? undefined : readJson, violations)
      if (violations.length > 0)
        throw endpoint.onInvalid
          ? refuse(endpoint.onInvalid, `wrong: ${violations.map(({ name }) => name).join(', ')}`)
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
function parameterPairs(incoming: Incoming, violations: Violation[]): readonly Pair[] {
  const { headers, body } = incoming
  const isJson = body !== undefined && body.length > 0 && mediaType(headers) === 'application/json'
  const given = isJson ? jsonPairs(bodyJson(body, violations), violations) : incoming.form
  if (given.length === 0) return incoming.query
  const inBody = new Set(given.map(([name]) => name))
  return [...incoming.query.filter(([name]) => !inBody.has(name)), ...given]
}

/** A signature's own parameters may stand in the query of any endpoint; some endpoints declare one themselves. */
function withoutProtocol(pairs: readonly Pair[], declared: ReadonlySet<string>): readonly Pair[] {
  if (pairs.length === 0) return pairs
  return pairs.filter(([name]) => !name.startsWith('oauth_') || declared.has(name))
}

/** The body of an endpoint that declares one: it must be there, and be JSON. Without `read`, its bytes. */
function bodyOf(incoming: Incoming, read: BodyReader | undefined, violations: Violation[]): unknown {
  const { body, headers } = incoming
  const wrong = (fault: Fault) => void violations.push({ place: 'body', name: '$', value: undefined, fault })
  if (body === undefined || body.length === 0) return wrong({ kind: 'missing' })
  const type = mediaType(headers)
  if (type !== 'application/json') throw refuse('media type not supported', `content type ${type}`)
  if (!read) return body
  const before = violations.length
  const json = bodyJson(body, violations)
  return violations.length > before ? undefined : read(json, violations)
}

function bodyJson(body: Buffer, violations: Violation[]): unknown {
  try {
    return exactJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    violations.push({ place: 'body', name: '$', value: undefined, fault: { kind: 'type', expected: 'JSON' } })
    return undefined
  }
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
  const overLimit = refuse(endpoint.overLimit)
  const totalsName = vocabulary.name('with_total_count')
  const headersOf = (prefix: string) =>
    ['limit', 'remaining', 'reset'].map((part) => vocabulary.header(`${prefix}-${part}`)) as Headers
  const ownHeaders = headersOf('x-rate-limit')
  const accountHeaders = headersOf('x-account-rate-limit')
  const limited = Object.keys(limits).length > 0
  const asksTotals = ({ query }: Incoming) =>
    limits.totals !== undefined && query.some(([name, value]) => name === totalsName && value === 'true')

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
function compilePresenter(endpoint: Endpoint, { speech }: PipelineServices) {
  switch (endpoint.replyKind) {
    case 'json': {
      const write = compileReply(endpoint.reply, speech.vocabulary)
      const { status } = endpoint
      return (reply: FastifyReply, result: unknown): string => {
        const other = result instanceof Answered ? result : undefined
        reply.code(other?.status ?? status)
        reply.header('cache-control', NO_CACHE)
        if (other && other.value === undefined) return ''
        const body = write(other ? other.value : result)
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
      return (reply: FastifyReply, result: unknown): string => {
        const values = result as Record<string, unknown>
        reply.code(endpoint.status)
        reply.header('content-type', 'application/x-www-form-urlencoded; charset=utf-8')
        reply.header('cache-control', NO_CACHE)
        return names
          .map(([neutral, spoken]) => `${encode(spoken)}=${encode(String(values[neutral]))}`)
          .join('&')
      }
    }
    case 'page':
      return (reply: FastifyReply, result: unknown): string | Readable => {
        const { status, headers, body } = result as PageReply
        reply
          .code(status)
          .header('cache-control', NO_CACHE)
          .headers(headers as Record<string, string>)
        return body
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
  { speech, replied }: PipelineServices,
  understood?: string,
): FastifyReply {
  request.refusal = refusal
  const { status, contentType, body, headers }: Rendered = dialect(
    refusal,
    speech,
    refusal.request ?? understood,
  )
  if (headers) reply.headers(headers)
  if (refusal.reason === 'body too large' && !isHeardOut(request)) reply.header('connection', 'close')
  reply.code(status).header('content-type', contentType).header('cache-control', NO_CACHE)
  replied(request, reply)
  return reply.send(body)
}
