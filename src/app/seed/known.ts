import { pointerOf } from '../../platform/common/json-file.ts'
import { isoTime } from '../../platform/common/time.ts'
import { instantOf } from './content/posts-in-order.ts'
import type { SeedProblem } from './problem.ts'
import type { Seed } from './schema.ts'

/** The users of a seed by screen name, in any case. */
export class Users {
  readonly #byKey: ReadonlyMap<string, Seed['users'][number]>

  constructor({ users }: Seed) {
    this.#byKey = new Map(users.map((user) => [user.screen_name.toLowerCase(), user]))
  }

  named = (name: string) => this.#byKey.get(name.toLowerCase())

  unknown(pointer: string, name: string | undefined): SeedProblem[] {
    if (name === undefined || this.named(name)) return []
    return [{ pointer, what: `the user "${name}" is not among the users of this file` }]
  }

  /** Names in a list that are unknown, repeated, or `self`. */
  listed(pointer: string, names: readonly string[] = [], self?: string): SeedProblem[] {
    const seen = new Set<string>()
    return names.flatMap((name, index) => {
      const at = pointer + pointerOf(index)
      const key = name.toLowerCase()
      if (seen.has(key)) return [{ pointer: at, what: `the user "${name}" is named twice` }]
      seen.add(key)
      if (key === self?.toLowerCase()) return [{ pointer: at, what: `"${name}" is the same user` }]
      return this.unknown(at, name)
    })
  }
}

/** A time that is malformed, or later than `latest`. */
export function timeProblems(
  pointer: string,
  text: string | undefined,
  now: number,
  latest: number,
): SeedProblem[] {
  if (text === undefined || instantOf(text, now, latest) !== undefined) return []
  const what = `"${text}" is not a time such as 2026-03-01T12:00:00Z or -2h, up to ${isoTime(latest)}`
  return [{ pointer, what }]
}

/** Every value that an earlier one repeats. `what` names the values. */
export function repeated(
  values: readonly { readonly pointer: string; readonly value: string | undefined }[],
  what: string,
): SeedProblem[] {
  const first = new Map<string, string>()
  return values.flatMap(({ pointer, value }) => {
    if (value === undefined) return []
    const firstPointer = first.get(value)
    if (firstPointer !== undefined) return [{ pointer, what: `is the same ${what} as at ${firstPointer}` }]
    first.set(value, pointer)
    return []
  })
}
