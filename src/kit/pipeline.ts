import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Dialect, Rendered, Speech } from './dialects/dialect.ts'
import { dialects } from './dialects/dialects.ts'
import type { Endpoint, Host, PageReply } from './endpoint.ts'
import { dialectOf } from './endpoint.ts'
import type { Cause, Fault, Violation } from './errors.ts'
import { invalid, Refusal, refuse } from './errors.ts'
import type { Pair } from './form.ts'
import type { Incoming } from './incoming.ts'
import { formPairs, hasBody, isForm, mediaType, queryPairs, readBody } from './incoming.ts'
import type { Counted, Limit, LimitRules } from './limits.ts'
import { limitFor } from './limits.ts'
import { encode } from './percent.ts'
import type { BodyReader } from './reader.ts'
import { compileBody, compileParameters } from './reader.ts'
import { compileReply } from './reply.ts'
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
  const own = endpoints.filter((one) => one.host === host)
  const refuseMethod = refuser(host, services, 'method not allowed')
  mountEndpoints(server, own, { refuseUnknown, refuseMethod }, services)
  server.setNotFoundHandler(refuseUnknown)
  server.setErrorHandler((error, request, reply) =>
    send(request, reply, dialectAt(host, request), services.failure(error, request), services),
  )
}

/** Routes each endpoint, and refuses every other method of its path. */
function mountEndpoints(
  server: FastifyInstance,
  endpoints: readonly Endpoint[],
  { refuseUnknown, refuseMethod }: Record<'refuseUnknown' | 'refuseMethod', ReturnType<typeof refuser>>,
  services: PipelineServices,
): void {
  // The router takes `/2/things/` for `/2/things/{id}` with an empty id: that is no path of ours.
  const routed = (handler: Handler): Handler => {
    return async (request, reply) =>
      hasEmptyParameter(request) ? refuseUnknown(request, reply) : handler(request, reply)
  }
  const methodsByPath = new Map<string, { url: string; methods: string[] }>()
  for (const endpoint of endpoints) {
    const handler = compile(endpoint, services)
    for (const path of [endpoint.path, ...endpoint.aliases]) {
      const url = routeOf(services.speech.vocabulary.path(path))
      server.route({ method: endpoint.method, url, handler: url.includes(':') ? routed(handler) : handler })
      // Two endpoints may name the parameter at one place differently.
      const shape = url.replace(/:[^/]+/g, ':')
      const known = methodsByPath.get(shape)
      if (known) known.methods.push(endpoint.method)
      else methodsByPath.set(shape, { url, methods: [endpoint.method] })
    }
  }
  for (const { url, methods } of methodsByPath.values()) {
    server.route({
      method: METHODS.filter((one) => !methods.includes(one)),
      url,
      handler: routed(async (request, reply) =>
        refuseMethod(request, reply.header('allow', methods.join(', '))),
      ),
    })
  }
}

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
  const limits = compileLimits(endpoint, services.limitRules)
  const present = compilePresenter(endpoint, services)
  const overLimit = refuse(endpoint.overLimit)
  const accessHeader = vocabulary.header('x-access-level')
  const limitHeader = vocabulary.header('x-rate-limit-limit')
  const remainingHeader = vocabulary.header('x-rate-limit-remaining')
  const resetHeader = vocabulary.header('x-rate-limit-reset')

  async function run(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const incoming = identify(request, services)
    const message = request.raw
    await endOfTurn()
    const early = hasBody(message.headers) && isForm(message.headers)
    if (early) await takeBody(incoming, request, endpoint.maxBodyBytes)

    const caller = await services.authenticate(incoming, endpoint)
    request.caller = caller
    if (caller.access !== undefined) reply.header(accessHeader, caller.access)
    services.authorize(caller, endpoint)

    const limit = limits[caller.pool.kind]
    if (limit) {
      const counted = services.count(`${endpoint.id} ${caller.pool.owner}`, limit.calls, limit.windowSeconds)
      const { allowed, remaining, resetSeconds } = counted instanceof Promise ? await counted : counted
      reply.header(limitHeader, limit.calls)
      reply.header(remainingHeader, remaining)
      reply.header(resetHeader, resetSeconds)
      if (!allowed) throw overLimit
    }

    if (!early && hasBody(message.headers)) await takeBody(incoming, request, endpoint.maxBodyBytes)
    const input = readInput(incoming, caller, request.params as Record<string, string>)
    const result = await endpoint.handle(
      { principal: caller, ...input, headers: message.headers, address: incoming.address } as never,
      services.context as never,
    )
    const body = present(reply, result)
    services.replied(request, reply)
    return reply.send(body)
  }

  return async (request, reply) => {
    try {
      return await run(request, reply)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : services.failure(error, request)
      return send(request, reply, dialect, refusal, services)
    }
  }
}

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

type Input = { params: unknown; query: unknown; form: unknown; body: unknown }

/** Compiles the reading of everything that an endpoint takes. All violations are told at once. */
function compileInput(endpoint: Endpoint, { speech }: PipelineServices) {
  const { vocabulary } = speech
  const parameters = (object: TObject, place: 'path' | 'query' | 'form', ignoreUnknown: boolean) =>
    compileParameters(object, place, vocabulary, { ignoreUnknown })
  const takesForm = Object.keys(endpoint.form.properties).length > 0
  const isPage = endpoint.replyKind === 'page'
  const inQuery = new Set(Object.keys(endpoint.query.properties).map((name) => vocabulary.name(name)))
  const readPath = parameters(endpoint.pathParams, 'path', false)
  // The core API refuses a query parameter that it does not know; the OAuth paths pass over it.
  const readQuery = parameters(endpoint.query, 'query', endpoint.dialect !== 'problem')
  const readForm = parameters(endpoint.form, 'form', true)
  const readJson = endpoint.body === undefined ? undefined : compileBody(endpoint.body, vocabulary)

  // What a person types into a form of a page must not be taken from an address, which is kept and shown.
  const formOf = ({ query, form }: Incoming) => (isPage || query.length === 0 ? form : [...query, ...form])

  return (incoming: Incoming, caller: Caller, path: Record<string, string>): Input => {
    const violations: Violation[] = []
    const params = readPath(Object.entries(path), violations)
    const query = readQuery(withoutProtocol(incoming.query, inQuery), violations)
    const form = takesForm ? readForm(caller.parameters ?? formOf(incoming), violations) : {}
    const body = readJson ? bodyOf(incoming, readJson, violations) : undefined
    if (violations.length > 0)
      throw endpoint.onInvalid
        ? refuse(endpoint.onInvalid, `wrong: ${violations.map(({ name }) => name).join(', ')}`)
        : invalid(...violations)
    return { params, query, form, body }
  }
}

/** A signature's own parameters may stand in the query of any endpoint; some endpoints declare one themselves. */
function withoutProtocol(pairs: readonly Pair[], declared: ReadonlySet<string>): readonly Pair[] {
  if (pairs.length === 0) return pairs
  return pairs.filter(([name]) => !name.startsWith('oauth_') || declared.has(name))
}

/** The body of an endpoint that declares one: it must be there, and be JSON. */
function bodyOf(incoming: Incoming, read: BodyReader, violations: Violation[]): unknown {
  const { body, headers } = incoming
  const wrong = (fault: Fault) => void violations.push({ place: 'body', name: '$', value: undefined, fault })
  if (body === undefined || body.length === 0) return wrong({ kind: 'missing' })
  const type = mediaType(headers)
  if (type !== 'application/json') throw refuse('media type not supported', `content type ${type}`)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return wrong({ kind: 'type', expected: 'JSON' })
  }
  return read(json, violations)
}

function compileLimits(endpoint: Endpoint, rules: LimitRules): Partial<Record<Pool['kind'], Limit>> {
  const limits: Partial<Record<Pool['kind'], Limit>> = {}
  for (const kind of ['app', 'user', 'client', 'address'] as const) {
    const limit = limitFor(rules, endpoint.id, kind, endpoint.limits[kind])
    if (limit) limits[kind] = limit
  }
  return limits
}

/** Compiles the head and the body of a reply from what a handler returns. */
function compilePresenter(endpoint: Endpoint, { speech }: PipelineServices) {
  switch (endpoint.replyKind) {
    case 'json': {
      const write = compileReply(endpoint.reply, speech.vocabulary)
      const { status } = endpoint
      return (reply: FastifyReply, result: unknown): string => {
        const body = write(result)
        reply.code(status)
        reply.header('content-type', 'application/json; charset=utf-8')
        reply.header('cache-control', NO_CACHE)
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
      return (reply: FastifyReply, result: unknown): string => {
        const { status, headers, body } = result as PageReply
        reply
          .code(status)
          .headers(headers as Record<string, string>)
          .header('cache-control', NO_CACHE)
        return body
      }
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  dialect: Dialect,
  refusal: Refusal,
  { speech, replied }: PipelineServices,
): FastifyReply {
  request.refusal = refusal
  const { status, contentType, body, headers }: Rendered = dialect(refusal, speech)
  if (headers) reply.headers(headers)
  // The rest of a body that nobody will read would hold up the connection.
  if (refusal.reason === 'body too large') reply.header('connection', 'close')
  reply.code(status).header('content-type', contentType).header('cache-control', NO_CACHE)
  replied(request, reply)
  return reply.send(body)
}
