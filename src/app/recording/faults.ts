import type { PlazaEndpoint } from '../../identity/auth/endpoint.ts'
import type { Naming } from '../../platform/http/contract.ts'
import type { FaultyEndpoint } from '../../workbench/faults/rule.ts'
import type { FaultSettings } from '../../workbench/faults/settings.ts'
import type { RecordedExchange } from '../../workbench/record/compare.ts'
import { faultyEndpoints } from '../start/faults.ts'

/** What errors of a recording mean for a Plaza. */
export interface RecordedFaults {
  readonly rules: readonly (FaultSettings & { readonly route: string; readonly status: number })[]
  /** Errors that Plaza does not document for the endpoint: `GET /2/nothing 404`. */
  readonly unknown: readonly string[]
}

/**
 * Fault rules that give the errors of a recording: for each endpoint, status and kind of body, the
 * documented error that is most like it, as often as it was recorded.
 */
export function faultsOfRecording(
  exchanges: readonly RecordedExchange[],
  { endpoints, naming }: { endpoints: readonly PlazaEndpoint[]; naming: Naming },
): RecordedFaults {
  const faulty = new Map(faultyEndpoints(naming).map((one) => [one.id, one]))
  const find = endpointFinder(endpoints, naming)
  const counts = new Map<string, { rule: RecordedFaults['rules'][number]; times: number }>()
  const unknown = new Set<string>()
  for (const { method, url, status, reply } of exchanges) {
    if (status < 400) continue
    const { pathname } = new URL(url)
    const endpoint = find(method, pathname)
    const known = endpoint && faulty.get(endpoint.id)
    const cause = endpoint && known && causeOf(known, { status, reply }, endpoint, naming)
    if (!known || cause === undefined) {
      unknown.add(`${method} ${pathname} ${status}`)
      continue
    }
    const rule = { kind: 'error', route: known.route, status, cause } as const
    const key = JSON.stringify(rule)
    counts.set(key, { rule, times: (counts.get(key)?.times ?? 0) + 1 })
  }
  const rules = [...counts.values()].map(({ rule, times }) => ({ ...rule, times }))
  return { rules, unknown: [...unknown] }
}

/** Finds the endpoint of a path. Literal segments win over parameters. */
function endpointFinder(endpoints: readonly PlazaEndpoint[], { vocabulary }: Naming) {
  const patterns = endpoints
    .filter(({ host }) => host !== 'console')
    .map((endpoint) => {
      const pieces = vocabulary.path(endpoint.path).split(/\{[^}]*\}/)
      const escaped = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return { endpoint, parameters: pieces.length, pattern: new RegExp(`^${escaped.join('[^/]+')}$`) }
    })
    .sort((a, b) => a.parameters - b.parameters)
  return (method: string, path: string) =>
    patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))?.endpoint
}

/** The documented cause whose body is most like a recorded one; undefined without its status. */
function causeOf(
  faulty: FaultyEndpoint,
  { status, reply }: { status: number; reply: string },
  endpoint: PlazaEndpoint,
  naming: Naming,
): string | undefined {
  const marks = marksOf(reply)
  let best: { cause: string; alike: number } | undefined
  for (const { cause, status: documented, error } of faulty.errors()) {
    if (documented !== status) continue
    const { body } = endpoint.protocol.render(error({ usesBearer: true, appId: undefined }), naming)
    const alike = [...marksOf(body)].filter((mark) => marks.has(mark)).length
    if (best === undefined || alike > best.alike) best = { cause, alike }
  }
  return best?.cause
}

/** Members that say what kind of error a body is, wherever they are in it. */
const KINDS = new Set(['type', 'title', 'detail', 'reason', 'code', 'error', 'error_description', 'message'])

/** `title=Forbidden`; of the URIs of types, the last segment. */
function marksOf(body: string): Set<string> {
  const marks = new Set<string>()
  try {
    JSON.parse(body, (name, value: unknown) => {
      if (KINDS.has(name) && (typeof value === 'string' || typeof value === 'number'))
        marks.add(`${name}=${name === 'type' ? String(value).split('/').at(-1) : value}`)
      return value
    })
  } catch {
    if (body !== '') marks.add(`text=${body}`)
  }
  return marks
}
