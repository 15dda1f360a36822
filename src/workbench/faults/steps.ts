import { beyondCap, type UsageApp } from '../../domain/usage/usage.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import type { Endpoint, Naming, RunStep, Services, Step } from '../../platform/http/contract.ts'
import { type ApiError, invalidFor } from '../../platform/http/errors.ts'
import type { Caller, Exchange } from '../../platform/http/exchange.ts'
import { limitsOf } from '../../platform/http/limits.ts'
import { msg } from '../../platform/http/message.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { problemOf } from '../../platform/protocols/problem/errors.ts'
import { StoreUnavailable } from '../../platform/storage/store.ts'
import { checkFault, FaultInvalid } from './check.ts'
import { errorOfRule } from './documented.ts'
import { ActiveFault, type EndpointFault, type FaultCaller, type Faults } from './faults.ts'
import { loseReply, throttleReply, truncateReply } from './reply-faults.ts'
import { FAULT_HEADER, faultOfHeader } from './request-header.ts'
import type { DocumentedError, FaultyEndpoint } from './rule.ts'
import { faultyStream } from './stream-faults.ts'

interface FaultStepsOptions {
  readonly faults: Faults
  readonly endpoints: readonly FaultyEndpoint[]
  /** Whether a request may name its own fault in a header. */
  readonly takesHeader: boolean
}

/** The steps that fail requests. Without rules, each costs a comparison. */
export interface FaultSteps {
  /** Directly after authentication: latency, connections, errors before calls are counted. */
  readonly early: Step
  /** After authorization: the other errors. */
  readonly late: Step
  /** Between the handler and its reply: streams. */
  readonly onReply: Step
}

/** Calls that are rejected with these are not counted. */
const BEFORE_COUNTING: ReadonlySet<number> = new Set([401, 403])

export function faultSteps(options: FaultStepsOptions): FaultSteps {
  const known = new Map(options.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  /** The faults of requests in progress that later steps apply. */
  const pending = new WeakMap<Exchange, EndpointFault>()
  let hasPending = false
  const later = (exchange: Exchange, fault: EndpointFault) => {
    hasPending = true
    pending.set(exchange, fault)
  }
  return {
    early: {
      name: 'early faults',
      compile(endpoint, services) {
        const faulty = known.get(endpoint.id)
        return faulty && compileEarly(faulty, services, { ...options, later })
      },
    },
    late: {
      name: 'late faults',
      compile: (endpoint, services) => (exchange) => {
        if (!hasPending) return
        const fault = pending.get(exchange)
        if (!fault?.error) return
        if (fault.error.cause === endpoint.overLimit) exhaust(exchange, endpoint, services, options.faults)
        throw errorOf(fault, fault.error, exchange)
      },
    },
    onReply: {
      name: 'stream faults',
      compile: ({ replyKind }, { naming }) =>
        replyKind !== 'stream'
          ? undefined
          : (exchange) => {
              const { settings } = pending.get(exchange) ?? {}
              if (!settings || exchange.result.kind !== 'stream') return
              if (settings.kind === 'disconnect' || settings.kind === 'stall')
                exchange.result = faultyStream(exchange.result, settings, usageLine(exchange, naming))
            },
    },
  }
}

interface EarlyOptions extends FaultStepsOptions {
  later(exchange: Exchange, fault: EndpointFault): void
}

function compileEarly(endpoint: FaultyEndpoint, services: Services, options: EarlyOptions): RunStep {
  const { faults, takesHeader, later } = options
  const choose = faults.chooser(endpoint, services.host)
  const header = services.naming.vocabulary.header(FAULT_HEADER)
  return (exchange) => {
    const text = takesHeader ? exchange.request.raw.headers[header] : undefined
    if (faults.isEmpty && text === undefined) return
    const fault =
      text === undefined ? choose(callerOf(exchange)) : faultOfRequest(String(text), endpoint, faults)
    if (!fault) return
    const latencyMs = fault.active.latencyMs()
    if (latencyMs === 0) return apply(exchange, fault, { faults, later })
    return wait(exchange, latencyMs, faults).then(() => apply(exchange, fault, { faults, later }))
  }
}

/** @throws ApiError The header is invalid. */
function faultOfRequest(text: string, endpoint: FaultyEndpoint, { clock }: Faults): EndpointFault {
  try {
    const settings = checkFault(faultOfHeader(text), { endpoints: [endpoint], nowMs: clock.now() })
    const active = new ActiveFault({ ...settings, id: text })
    return { active, settings, error: errorOfRule(endpoint, settings) }
  } catch (error) {
    if (!(error instanceof FaultInvalid)) throw error
    throw invalidFor('FaultInvalid', msg`${error.message}`, {
      ...{ place: 'header', name: FAULT_HEADER, value: text },
    })
  }
}

const callerOf = ({ caller, request }: Exchange): FaultCaller => ({
  appId: caller.app?.id,
  userId: caller.userId,
  usesBearer: /^bearer /i.test(request.raw.headers.authorization ?? ''),
})

const detailOf = ({ active: { rule } }: EndpointFault) => `fault ${rule.id}: ${rule.kind}`

/** The error of the real cause. The log and the journal say that a fault produced it. */
function errorOf(fault: EndpointFault, { error }: DocumentedError, exchange: Exchange): ApiError {
  const made = error(callerOf(exchange))
  made.message = detailOf(fault)
  return made
}

/** In real time. Ends early when the client leaves or Plaza closes. */
async function wait({ reply }: Exchange, ms: number, { closing }: Faults): Promise<void> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  reply.raw.once('close', leave)
  const isOver = await systemClock.at(systemClock.now() + ms, AbortSignal.any([gone.signal, closing]))
  reply.raw.off('close', leave)
  if (!isOver) throw apiError('over capacity', 'the wait of a fault ended early')
}

function apply(
  exchange: Exchange,
  fault: EndpointFault,
  { faults, later }: Pick<EarlyOptions, 'faults' | 'later'>,
) {
  const { settings, error } = fault
  const { raw } = exchange.reply
  switch (settings.kind) {
    case 'drop':
      raw.socket?.destroy()
      throw apiError('over capacity', detailOf(fault))
    case 'drop_after':
      return loseReply(raw)
    case 'truncate':
      return truncateReply(raw, settings.bytes ?? 0)
    case 'throttle':
      return throttleReply(raw, settings.bytes_per_second ?? 1, faults.closing)
    case 'lost_database':
      throw new StoreUnavailable(detailOf(fault))
    case 'latency':
      return
    default:
      if (error && BEFORE_COUNTING.has(error.status)) throw errorOf(fault, error, exchange)
      return later(exchange, fault)
  }
}

/** The last line of a stream whose app has reached a usage cap. */
function usageLine({ caller }: Exchange, naming: Naming): string {
  const { app } = caller as Caller & { app?: UsageApp }
  const cap = 'monthly usage of app capped'
  const problem = problemOf(app ? beyondCap(app, cap) : apiError(cap), naming)
  return `${jsonText({ errors: [problem] })}\r\n`
}

/** Shows the limit of the caller as exhausted. It is the documented one where none is counted. */
function exhaust(
  { reply, caller }: Exchange,
  endpoint: Endpoint,
  { naming }: Services,
  { clock }: Faults,
): void {
  const header = (part: string) => naming.vocabulary.header(`x-rate-limit-${part}`)
  if (reply.getHeader(header('limit')) === undefined) {
    const limit = limitsOf(endpoint, 'documented')[caller.pool.kind]
    if (!limit) return
    const { calls, windowSeconds } = limit
    const windows = Math.floor(clock.now() / 1_000 / windowSeconds) + 1
    reply.header(header('limit'), calls).header(header('reset'), windows * windowSeconds)
  }
  reply.header(header('remaining'), 0)
}
