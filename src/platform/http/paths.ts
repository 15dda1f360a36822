/** A path with at least one method. */
export interface KnownPath {
  /** Its methods, in the order in which they were added. */
  readonly methods: string[]
  /** Methods that must not be disclosed. */
  readonly hidden: Set<string>
  /** Whether the values of its parameters could belong to this path, according to its endpoints. */
  readonly accepts: ((values: readonly string[]) => boolean)[]
}

interface Branch {
  readonly fixed: Map<string, Branch>
  parameter: Branch | undefined
  known: KnownPath | undefined
}

const branch = (): Branch => ({ fixed: new Map(), parameter: undefined, known: undefined })

/**
 * Every path of a host, for requests that match no route. A path whose parameter cannot have the
 * given value is not a path of the host: `/2/things/search` is unknown although `/2/things/{id}`
 * exists.
 */
export class Paths {
  readonly #root = branch()
  /** Every fixed segment, and every word that a parameter can be. */
  readonly words = new Set<string>()

  /**
   * The path of a template (`/2/things/{id}`), added if necessary. Two templates may name a
   * parameter differently.
   */
  at(template: string): KnownPath {
    let here = this.#root
    for (const segment of template.split('/').slice(1)) {
      if (segment.startsWith('{')) {
        here.parameter ??= branch()
        here = here.parameter
        continue
      }
      this.words.add(segment)
      const next = here.fixed.get(segment) ?? branch()
      here.fixed.set(segment, next)
      here = next
    }
    here.known ??= { methods: [], hidden: new Set(), accepts: [] }
    return here.known
  }

  /**
   * The methods that the router wrongly matches for a path: those of templates with a parameter
   * where this one has a fixed segment. `/2/things/search` has none of the methods of
   * `/2/things/{id}`.
   */
  shadowing(template: string): string[] {
    const own = this.at(template)
    return [...new Set(reached(this.#root, template.split('/').slice(1), 0, own))].filter(
      (method) => !own.methods.includes(method),
    )
  }

  /** The known path of a request's target. */
  find(target: string): KnownPath | undefined {
    const query = target.indexOf('?')
    const segments = (query === -1 ? target : target.slice(0, query)).split('/').slice(1)
    return descend(this.#root, segments, 0, [])
  }
}

/** The methods of every template that matches the segments, other than `own`. */
function reached(here: Branch, segments: readonly string[], depth: number, own: KnownPath): string[] {
  if (depth === segments.length) return here.known && here.known !== own ? here.known.methods : []
  const segment = segments[depth] as string
  const fixed = here.fixed.get(segment)
  return [fixed, here.parameter].flatMap((next) => (next ? reached(next, segments, depth + 1, own) : []))
}

function descend(
  here: Branch,
  segments: readonly string[],
  depth: number,
  values: string[],
): KnownPath | undefined {
  if (depth === segments.length) {
    const { known } = here
    return known && (known.accepts.length === 0 || known.accepts.some((takes) => takes(values)))
      ? known
      : undefined
  }
  const segment = segments[depth] as string
  const fixed = here.fixed.get(segment)
  const found = fixed && descend(fixed, segments, depth + 1, values)
  if (found || !here.parameter || segment === '') return found
  const value = decoded(segment)
  return value === undefined ? undefined : descend(here.parameter, segments, depth + 1, [...values, value])
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
