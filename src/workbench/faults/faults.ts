import type { TimeSource } from '../../platform/common/clock.ts'
import { fractions, seededRandom } from '../../platform/common/random.ts'
import { routeMatcher } from '../route-pattern.ts'
import { answersWithError, errorOfRule } from './documented.ts'
import { type Latency, latencyOf } from './latency.ts'
import {
  type DocumentedError,
  type FaultReading,
  type FaultRule,
  type FaultyEndpoint,
  isOfWebhooks,
} from './rule.ts'
import type { FaultSettings } from './settings.ts'

/** A rule that is in force, with its counts and its randomness. */
export class ActiveFault {
  readonly rule: FaultRule
  readonly #latency: Latency | undefined
  readonly #random: () => number
  readonly #fromMs: number
  readonly #untilMs: number
  matches = 0
  hits = 0

  constructor(rule: FaultRule) {
    this.rule = rule
    const { latency, from, until, seed = rule.id } = rule
    this.#latency = latency === undefined ? undefined : latencyOf(latency)
    this.#random = fractions(seededRandom(seed))
    this.#fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from)
    this.#untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)
  }

  /** Counts a match of its conditions. Returns whether it applies this time. */
  takes(nowMs: number): boolean {
    if (nowMs < this.#fromMs || nowMs >= this.#untilMs) return false
    const { every = 1, times = Number.POSITIVE_INFINITY, probability = 1 } = this.rule
    this.matches++
    if (this.matches % every !== 0 || this.hits >= times) return false
    if (probability < 1 && this.#random() >= probability) return false
    this.hits++
    return true
  }

  /** In milliseconds; another one each time. */
  latencyMs(): number {
    return this.#latency?.(this.#random) ?? 0
  }
}

/** A rule for one endpoint. */
export interface EndpointFault {
  readonly active: ActiveFault
  readonly settings: FaultSettings
  /** The error that it answers with, if any. */
  readonly error: DocumentedError | undefined
}

/** Who sent a request, as rules restrict it. */
export interface FaultCaller {
  readonly appId: string | undefined
  readonly userId: string | undefined
  readonly usesBearer: boolean
}

/** The fault rules that are in force on this node, in their order. */
export class Faults {
  readonly clock: TimeSource
  #active: readonly ActiveFault[] = []
  #version = 0
  readonly #closing = new AbortController()

  constructor(clock: TimeSource) {
    this.clock = clock
  }

  get isEmpty(): boolean {
    return this.#active.length === 0
  }

  /** Aborted when Plaza closes: nothing waits any longer. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  close(): void {
    this.#closing.abort()
  }

  /** Puts rules in force. Counts of rules that stay the same go on. */
  set(rules: readonly FaultRule[]): void {
    const before = new Map(this.#active.map((active) => [JSON.stringify(active.rule), active]))
    this.#active = rules.map((rule) => before.get(JSON.stringify(rule)) ?? new ActiveFault(rule))
    this.#version++
  }

  readings(): FaultReading[] {
    return this.#active.map(({ rule, matches, hits }, index) => ({
      rule,
      position: index + 1,
      matches,
      hits,
    }))
  }

  /**
   * Compiles how the rules of an endpoint are chosen. They are looked up when they have changed.
   */
  chooser(endpoint: FaultyEndpoint, host: string): (caller: FaultCaller) => EndpointFault | undefined {
    let version = -1
    let own: readonly EndpointFault[] = []
    return (caller) => {
      if (version !== this.#version) {
        version = this.#version
        own = this.#active.flatMap((active) => faultOf(active, endpoint, host) ?? [])
      }
      return own.find((fault) => isFor(fault.settings, caller) && fault.active.takes(this.clock.now()))
    }
  }

  /** The rule that a delivery meets. */
  ofDelivery(to: { webhook: string; url: string; appId: string }): ActiveFault | undefined {
    return this.#active.find(
      (active) =>
        isOfWebhooks(active.rule.kind) &&
        [undefined, to.webhook, to.url].includes(active.rule.webhook) &&
        [undefined, to.appId].includes(active.rule.app_id) &&
        active.takes(this.clock.now()),
    )
  }
}

/** A rule for an endpoint; undefined if it is about others. */
function faultOf(active: ActiveFault, endpoint: FaultyEndpoint, host: string): EndpointFault | undefined {
  const { rule } = active
  if (isOfWebhooks(rule.kind) || (rule.host !== undefined && rule.host !== host)) return undefined
  if (rule.route !== undefined && !routeMatcher(rule.route)(endpoint.route)) return undefined
  if ((rule.kind === 'disconnect' || rule.kind === 'stall') && !endpoint.isStream) return undefined
  const error = errorOfRule(endpoint, rule)
  return answersWithError(rule) && !error ? undefined : { active, settings: rule, error }
}

const isFor = ({ kind, app_id, user_id }: FaultSettings, caller: FaultCaller): boolean =>
  (app_id === undefined || app_id === caller.appId) &&
  (user_id === undefined || user_id === caller.userId) &&
  (kind !== 'expired_token' || caller.usesBearer)
