import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { createPendingTokens } from '../../api/oauth/requests.ts'
import type { AuthenticationServices } from '../../identity/auth/authenticate.ts'
import type { Enrollment } from '../../identity/auth/authorize.ts'
import { schemesOf } from '../../identity/auth/steps.ts'
import { ClusterUnavailable } from '../../platform/cluster/cluster.ts'
import { monotonicTime } from '../../platform/common/clock.ts'
import { CapacityError } from '../../platform/common/gate.ts'
import type { Services } from '../../platform/http/contract.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { BodyMemory } from '../../platform/http/input/body-memory.ts'
import type { Streams } from '../../platform/http/streams.ts'
import { requestLog } from '../../platform/log/log.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { type Host, hasEnded, protocolAt, unknownPath } from '../../platform/protocols/protocols.ts'
import { StoreBusy, StoreUnavailable } from '../../platform/storage/store.ts'
import type { FaultSteps } from '../../workbench/faults/steps.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { Traces } from '../../workbench/traces/traces.ts'
import type { Context } from './context.ts'
import { timeReplies } from './marks.ts'
import type { RouteMetrics } from './route-metrics.ts'
import { stepsOf } from './steps.ts'

interface HostOptions {
  host: Host
  secure: boolean
  publicOrigin: string | undefined
  aliases: ReadonlyMap<string, string>
  isOwnHost(header: string): boolean
  bodyMemory: BodyMemory
  streams: Streams
  /** The URL at which clients reach it. */
  origin: string
  routeMetrics: RouteMetrics
  /** Undefined if it is switched off, and for hosts whose requests it does not keep. */
  journal: Journal | undefined
  traces: Traces | undefined
  /** Undefined where there are none. */
  faults: FaultSteps | undefined
}

/** How the requests of one host are authenticated. */
export function authenticationOf(
  context: Context,
  { publicOrigin, aliases, isOwnHost }: Pick<HostOptions, 'publicOrigin' | 'aliases' | 'isOwnHost'>,
): AuthenticationServices & Enrollment {
  const { config, cluster, credentials, clock, machineClock, log } = context
  return {
    credentials,
    pendingTokens: createPendingTokens(context.store, context.sealer, clock),
    cluster,
    clock,
    machineClock,
    timestampWindowSeconds: config.timestampWindowSeconds,
    registrationUrl: config.registrationUrl,
    lenientExchange: config.verifierExchange === 'lenient',
    publicOrigin,
    aliases,
    isOwnHost,
    onClockSetBack: clockReport(log),
  }
}

/** What the pipeline of one host needs from the program. */
export function pipelineServices(
  context: Context,
  {
    host,
    secure,
    bodyMemory,
    streams,
    origin,
    routeMetrics,
    journal,
    traces,
    faults,
    ...options
  }: HostOptions,
): Services {
  const { config, naming, cluster, log } = context
  const prefixes = naming.vocabulary.prefixes('2')
  const tellTime = timeReplies(naming.vocabulary)
  const writeLine = requestLog(log, host)
  const scheme = secure || config.behindProxy ? 'https' : 'http'
  return {
    naming,
    // They may change while Plaza runs.
    get limitRules() {
      return config.rateLimits
    },
    behindProxy: config.behindProxy,
    secure,
    steps: stepsOf(authenticationOf(context, options), faults),
    schemesOf,
    protocolAt: (path) => protocolAt(host, path, prefixes),
    unknownPath: (path) => unknownPath(host, path),
    hasEnded: (path) => hasEnded(host, path),
    bodyMemory,
    streams,
    host,
    count: (bucket, limit, windowSeconds) => cluster.count(bucket, limit, windowSeconds),
    uncount: (bucket, resetSeconds) => cluster.uncount(bucket, resetSeconds),
    failure: (error, request) => failure(error, request, log),
    origin,
    replied(request, reply, body) {
      tellTime(request, reply)
      writeLine(request, reply)
      routeMetrics.add(host, request, reply)
      traces?.addRequest(host, request, reply)
      return journal?.addRequest({ host, scheme }, request, reply, body)
    },
    context,
  }
}

/** Warns once each time that the clock is set back: signed requests are rejected until then. */
function clockReport(log: Logger): (rejectedForSeconds: number) => void {
  let isOver = Number.NEGATIVE_INFINITY
  return (seconds) => {
    const nowMs = monotonicTime.now()
    if (nowMs < isOver) return
    isOver = nowMs + seconds * 1000
    log.warn(
      { rejected_for_seconds: seconds },
      'signed requests are rejected, because the clock was set back',
    )
  }
}

/**
 * Turns an unexpected error into an API error: 503 when a part is unavailable, 400 for a malformed
 * request.
 */
function failure(error: unknown, request: FastifyRequest, log: Logger): ApiError {
  if (error instanceof ApiError) return error
  const known = error as { statusCode?: number; code?: string; message?: string }
  if (known.statusCode !== undefined && known.statusCode < 500) return apiError('bad request', known.message)
  log.error({ err: error, request_id: request.id }, 'request failed')
  if (error instanceof StoreBusy) return apiError('busy', known.message)
  const unavailable =
    error instanceof ClusterUnavailable || error instanceof StoreUnavailable || error instanceof CapacityError
  return apiError(unavailable ? 'over capacity' : 'internal', String(known.message))
}
