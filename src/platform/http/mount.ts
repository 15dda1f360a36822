import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, Protocol, Services } from './contract.ts'
import { methodsOf } from './endpoint.ts'
import { ApiError, apiError, type EngineCause, type Violation } from './errors.ts'
import type { Pair } from './input/form.ts'
import { compileParameters } from './input/reader.ts'
import { Paths } from './paths.ts'
import { compilePipeline, type Handler } from './pipeline.ts'
import { templatesOf } from './routes.ts'
import { compileSendError } from './send-error.ts'
import { plain } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The endpoints of a listener. */
export interface MountOptions {
  own: readonly Endpoint[]
  /**
   * Endpoints of other listeners: unknown on this one, even where their paths have other methods.
   */
  hidden: readonly Endpoint[]
}

/**
 * Registers the endpoints of one listener on its server, and error replies for every other path and
 * method.
 */
export function mount(server: FastifyInstance, endpoints: MountOptions, services: Services): void {
  // The pipeline reads bodies itself, after authentication.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const type = headers['content-type']
    if (type !== undefined) headers['content-type'] = type.replace(COMMA_OF_MULTIPART, '$1;')
    done()
  })
  server.decorateRequest('endpoint', '')
  server.decorateRequest('caller', undefined)
  server.decorateRequest('error', undefined)
  server.decorateRequest('began', 0)
  server.decorateRequest('bodyBytes', undefined)
  mountEndpoints(server, endpoints, services)
  const sendErrorTo = compileSendErrors(services)
  server.setErrorHandler((error, request, reply) =>
    sendErrorTo(request)(request, reply, services.failure(error, request)),
  )
}

/** Some clients write `multipart/form-data, boundary=…`, which the framework would reject. */
const COMMA_OF_MULTIPART = /^(multipart\/form-data[ \t]*),/i

/** Sends an error for a request that matches no endpoint, in the protocol of its path. */
export function errorHandler(services: Services, cause: EngineCause) {
  const error = apiError(cause)
  const sendErrorTo = compileSendErrors(services)
  return (request: FastifyRequest, reply: FastifyReply) => sendErrorTo(request)(request, reply, error)
}

/** Compiles how errors are sent in the protocol of an unknown path. */
function compileSendErrors(services: Services) {
  const known = new Map<Protocol, ReturnType<typeof compileSendError>>()
  return (request: FastifyRequest) => {
    const protocol = services.protocolAt(request.raw.url ?? '/')
    const found = known.get(protocol) ?? compileSendError(protocol, services)
    known.set(protocol, found)
    return found
  }
}

/** Every path of a listener. */
function pathsOf({ own, hidden }: MountOptions, vocabulary: Vocabulary): Paths {
  const paths = new Paths()
  for (const endpoint of own) {
    // Only where a path parameter has these values, they are words.
    for (const { enum: values = [] } of Object.values(plain(endpoint.pathParams).properties ?? {}))
      for (const value of values) paths.words.add(vocabulary.name(String(value)))
    for (const template of templatesOf(endpoint, vocabulary)) {
      const known = paths.at(template)
      known.methods.push(...methodsOf(endpoint))
      known.accepts.push(pathTaker(endpoint, template, vocabulary))
    }
  }
  for (const endpoint of hidden)
    for (const template of templatesOf(endpoint, vocabulary)) paths.at(template).hidden.add(endpoint.method)
  return paths
}

/** In the order in which `Allow` names them. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/**
 * The error of a request that matches no endpoint: 405 if its path has other methods and its
 * resource has not ended, otherwise 404.
 */
function unmatched(paths: Paths, { unknownPath, hasEnded }: Services) {
  return (method: string, target: string): ApiError => {
    const { methods = [], hidden } = paths.find(target) ?? {}
    const isUnknown = methods.length === 0 || hidden?.has(method) || methods.includes(method)
    if (isUnknown || hasEnded(target)) return unknownPath(target)
    const allow = METHODS.filter((known) => methods.includes(known)).join(', ')
    return new ApiError('method not allowed', { headers: { allow } })
  }
}

/** The same for a request that the router never sees. The paths are compiled at the first use. */
export function unmatchedErrors(mounted: MountOptions, services: Services): ReturnType<typeof unmatched> {
  let errorOf: ReturnType<typeof unmatched> | undefined
  return (method, target) => {
    errorOf ??= unmatched(pathsOf(mounted, services.naming.vocabulary), services)
    return errorOf(method, target)
  }
}

/** Routes each endpoint. Every other method of its path is 405, every other path 404. */
function mountEndpoints(server: FastifyInstance, mounted: MountOptions, services: Services): void {
  const { own } = mounted
  const { vocabulary } = services.naming
  const sendErrorTo = compileSendErrors(services)
  const paths = pathsOf(mounted, vocabulary)
  const errorOf = unmatched(paths, services)
  const sendUnmatched = (request: FastifyRequest, reply: FastifyReply) =>
    sendErrorTo(request)(request, reply, errorOf(request.method, request.raw.url ?? '/'))
  // The router matches `/2/things/` as `/2/things/{id}` with an empty id, which is not a valid
  // path. Nor is `/2/things/search` if `search` is a word of other paths, but no id.
  const routed = (handler: Handler, takes: (values: readonly string[]) => boolean): Handler => {
    return async (request, reply) => {
      const values = Object.values(request.params as Record<string, string>)
      return values.includes('') || (paths.words.has(values.at(-1) as string) && !takes(values))
        ? sendErrorTo(request)(request, reply, services.unknownPath(request.raw.url ?? '/'))
        : handler(request, reply)
    }
  }
  const takerOf = (endpoint: Endpoint, template: string) =>
    template.endsWith('}') ? pathTaker(endpoint, template, vocabulary) : () => true
  for (const endpoint of own) {
    const compile = () => compilePipeline(endpoint, services)
    // A vocabulary may give one name to two things, which must show at the start.
    const handler = vocabulary.neutral ? onFirstUse(compile) : compile()
    for (const template of templatesOf(endpoint, vocabulary)) {
      const url = routeOf(template, server)
      server.route({
        method: methodsOf(endpoint),
        config: { isPage: endpoint.replyKind === 'page' },
        url,
        handler: url.includes(':') ? routed(handler, takerOf(endpoint, template)) : handler,
      })
    }
  }
  for (const template of new Set(own.flatMap((endpoint) => templatesOf(endpoint, vocabulary)))) {
    const method = paths.shadowing(template)
    if (method.length > 0)
      server.route({
        method,
        url: routeOf(template, server),
        handler: async (...call) => sendUnmatched(...call),
      })
  }
  server.setNotFoundHandler(sendUnmatched)
}

/**
 * A start needs no endpoint, and most are rarely or never called, so each is compiled at its first
 * request.
 */
function onFirstUse(compile: () => Handler): Handler {
  let handler: Handler | undefined
  return (request, reply) => {
    handler ??= compile()
    return handler(request, reply)
  }
}

/** Checks whether the values in a path are valid parameters of an endpoint. */
function pathTaker({ pathParams }: Endpoint, template: string, vocabulary: Vocabulary) {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
  const compile = () => compileParameters(pathParams, 'path', vocabulary, { ignoreUnknown: true })
  let read = vocabulary.neutral ? undefined : compile()
  return (values: readonly string[]): boolean => {
    // Called only for paths that may not exist.
    read ??= compile()
    const violations: Violation[] = []
    read(
      names.map((name, at): Pair => [name, values[at] as string]),
      violations,
      undefined,
    )
    return violations.length === 0
  }
}

/** A path template in Fastify's syntax, without the prefix under which the server is registered. */
const routeOf = (template: string, { prefix }: FastifyInstance) =>
  template.slice(prefix.length).replace(/\{([^}]+)\}/g, ':$1')
