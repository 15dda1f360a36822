import { parseInstant } from '../../platform/common/instant.ts'
import { isoTime } from '../../platform/common/time.ts'
import { durationMs } from '../clock/duration.ts'
import { routeMatcher } from '../route-pattern.ts'
import { answersWithError, errorOfRule, listed } from './documented.ts'
import { LATENCY_FORMS, latencyOf, MAX_LATENCY_MS } from './latency.ts'
import { type FaultyEndpoint, isOfWebhooks } from './rule.ts'
import { DISCONNECT_REASONS, type FaultKind, type FaultSettings } from './settings.ts'

/** A fault rule is invalid. `member` and `value` say where, the message why. */
export class FaultInvalid extends Error {
  override readonly name = 'FaultInvalid'
  readonly member: string
  readonly value: string

  constructor(member: string, value: unknown, message: string) {
    super(message)
    this.member = member
    this.value = String(value ?? '')
  }
}

type Member = keyof FaultSettings

/** Members of every rule. */
const COMMON: readonly Member[] = [
  'kind',
  'probability',
  'times',
  'every',
  'from',
  'until',
  'seed',
  'latency',
]
const OF_REQUESTS: readonly Member[] = ['route', 'host', 'app_id', 'user_id']
const OF_WEBHOOKS: readonly Member[] = ['webhook', 'app_id']

/** The other members of a kind, and those of which it needs one. */
const OWN: Readonly<Record<FaultKind, { takes: readonly Member[]; needs?: readonly Member[] }>> = {
  error: { takes: ['status', 'cause'], needs: ['status', 'cause'] },
  latency: { takes: [], needs: ['latency'] },
  expired_token: { takes: [] },
  exhausted_limit: { takes: [] },
  exhausted_usage: { takes: ['cause'] },
  lost_database: { takes: [] },
  drop: { takes: [] },
  drop_after: { takes: [] },
  truncate: { takes: ['bytes'], needs: ['bytes'] },
  throttle: { takes: ['bytes_per_second'], needs: ['bytes_per_second'] },
  disconnect: { takes: ['posts', 'after', 'reason'] },
  stall: { takes: ['posts', 'after'] },
  webhook_status: { takes: ['status'], needs: ['status'] },
  webhook_timeout: { takes: [] },
  webhook_unreachable: { takes: [] },
  webhook_tls: { takes: [] },
  webhook_slow: { takes: [], needs: ['latency'] },
}

/**
 * The rule with absolute times.
 * @throws FaultInvalid
 */
export function checkFault(
  settings: FaultSettings,
  { endpoints, nowMs }: { endpoints: readonly FaultyEndpoint[]; nowMs: number },
): FaultSettings {
  checkMembers(settings)
  checkTexts(settings)
  if (!isOfWebhooks(settings.kind)) checkEndpoints(settings, endpoints)
  const from = absolute('from', settings.from, nowMs)
  const until = absolute('until', settings.until, nowMs)
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until))
    throw new FaultInvalid('until', settings.until, '`until` must be after `from`')
  return { ...settings, ...(from !== undefined && { from }), ...(until !== undefined && { until }) }
}

function checkMembers(settings: FaultSettings): void {
  const { kind } = settings
  const { takes, needs } = OWN[kind]
  const known = new Set([...COMMON, ...(isOfWebhooks(kind) ? OF_WEBHOOKS : OF_REQUESTS), ...takes])
  for (const member of Object.keys(settings) as Member[])
    if (settings[member] !== undefined && !known.has(member))
      throw new FaultInvalid(member, settings[member], `\`${member}\` does not apply to the kind \`${kind}\``)
  if (needs?.every((member) => settings[member] === undefined))
    throw new FaultInvalid(
      needs[0] as string,
      '',
      `the kind \`${kind}\` needs ${needs.map((member) => `\`${member}\``).join(' or ')}`,
    )
}

function checkTexts({ latency, after, kind, status, reason, bytes_per_second = 1 }: FaultSettings): void {
  if (latency !== undefined && !latencyOf(latency))
    throw new FaultInvalid(
      'latency',
      latency,
      `\`latency\` must be at most 5 minutes, such as ${LATENCY_FORMS}`,
    )
  const afterMs = after === undefined ? 0 : durationMs(after)
  if (afterMs === undefined || afterMs > MAX_LATENCY_MS)
    throw new FaultInvalid('after', after, '`after` must be a duration of at most 5 minutes, such as 10s')
  if (reason !== undefined && !DISCONNECT_REASONS.includes(reason))
    throw new FaultInvalid('reason', reason, `\`reason\` must be one of ${DISCONNECT_REASONS.join(', ')}`)
  if (bytes_per_second < 1)
    throw new FaultInvalid('bytes_per_second', bytes_per_second, '`bytes_per_second` must be at least 1')
  if (kind === 'webhook_status' && status !== undefined && (status < 300 || status > 599))
    throw new FaultInvalid('status', status, '`status` must be from 300 to 599')
}

/** The endpoints that a rule is about. */
function endpointsOf(
  { route, host }: Pick<FaultSettings, 'route' | 'host'>,
  endpoints: readonly FaultyEndpoint[],
): readonly FaultyEndpoint[] {
  const matches = route === undefined ? () => true : routeMatcher(route)
  return endpoints.filter(
    (endpoint) => matches(endpoint.route) && (host === undefined || endpoint.hosts.includes(host)),
  )
}

function checkEndpoints(settings: FaultSettings, all: readonly FaultyEndpoint[]): void {
  const { route, host, kind, status, cause } = settings
  const found = endpointsOf(settings, all)
  const where = host === undefined ? '' : ` on the host ${host}`
  if (found.length === 0)
    throw new FaultInvalid(
      'route',
      route,
      `\`route\` matches no endpoint${where}: write it as in the reference`,
    )
  if ((kind === 'disconnect' || kind === 'stall') && !found.some(({ isStream }) => isStream))
    throw new FaultInvalid('route', route, `the kind \`${kind}\` is for streams, and \`route\` matches none`)
  if (!answersWithError(settings) || found.some((endpoint) => errorOfRule(endpoint, settings))) return
  const [member, value] = kind === 'error' && status !== undefined ? ['status', status] : ['cause', cause]
  if (kind === 'error' && status !== undefined && cause !== undefined) {
    const same = found.filter((endpoint) => errorOfRule(endpoint, { kind, status, cause: undefined }))
    if (same.length > 0)
      throw new FaultInvalid(
        'cause',
        cause,
        `\`cause\` is not documented for ${status}. ${documentedText(found)}`,
      )
  }
  const what = kind === 'error' ? `\`${member}\` ${value}` : `an error of the kind \`${kind}\``
  throw new FaultInvalid(String(member), value, `${what} is not documented. ${documentedText(found)}`)
}

const MAX_LISTED = 20

/** Endless lists of errors of many endpoints help nobody. */
const documentedText = (found: readonly FaultyEndpoint[]) =>
  found.length > MAX_LISTED
    ? 'No endpoint that `route` matches documents it'
    : `Documented are: ${listed(found)}`

function absolute(member: 'from' | 'until', text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined
  const wait = durationMs(text)
  const ms = wait === undefined ? parseInstant(text) : nowMs + wait
  if (ms !== undefined && ms <= LATEST_MS) return isoTime(ms)
  throw new FaultInvalid(
    member,
    text,
    `\`${member}\` must be a time such as 2026-03-01T12:00:00Z, or a duration from now such as 2h`,
  )
}

/** The last millisecond of the year 9999. */
const LATEST_MS = Date.UTC(10_000, 0) - 1
