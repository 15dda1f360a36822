import { MAX_AHEAD_MS, MAX_CURRENT } from '../../../domain/broadcasts/broadcasts.ts'
import { pointerOf } from '../../../platform/common/json-file.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { timeProblems, type Users } from '../known.ts'
import type { SeedProblem } from '../problem.ts'
import type { Seed } from '../schema.ts'
import { endOf, startOf } from './write-broadcasts.ts'

/** What is wrong with the sources of a seed. */
export function sourcesProblems({ broadcast_sources: sources = [] }: Seed, known: Users): SeedProblem[] {
  const seen = new Set<string>()
  return sources.flatMap(({ id, owner }, index) => {
    const of = (member: string) => pointerOf('broadcast_sources', index, member)
    const isRepeated = seen.has(id)
    seen.add(id)
    return [
      ...known.unknown(of('owner'), owner),
      ...(isRepeated ? [{ pointer: of('id'), what: `another source has the id "${id}" too` }] : []),
    ]
  })
}

/** What is wrong with the broadcasts of a seed. */
export function broadcastsProblems(
  { broadcasts = [], broadcast_sources: sources = [] }: Seed,
  known: Users,
  now: number,
): SeedProblem[] {
  const ownerOf = new Map(sources.map(({ id, owner }) => [id, owner.toLowerCase()]))
  const current = new Map<string, number>()
  return broadcasts.flatMap((broadcast, index) => {
    const of = (member: string) => pointerOf('broadcasts', index, member)
    const { source, owner, chat = [] } = broadcast
    const end = endOf(broadcast, now)
    const key = owner.toLowerCase()
    const count = (current.get(key) ?? 0) + Number(end === null || end > now)
    current.set(key, count)
    const isAhead = startOf(broadcast, now) > now
    return [
      ...known.unknown(of('owner'), owner),
      ...timeProblems(of('starts_at'), broadcast.starts_at, now, now + MAX_AHEAD_MS),
      ...(source !== undefined && ownerOf.get(source) !== key
        ? [{ pointer: of('source'), what: `"${owner}" has no source "${source}" in this file` }]
        : []),
      ...(count > MAX_CURRENT
        ? [{ pointer: of('owner'), what: `"${owner}" has more than ${MAX_CURRENT} broadcasts` }]
        : []),
      ...(isAhead && chat.length > 0
        ? [{ pointer: of('chat'), what: 'a broadcast has no chat before its start' }]
        : []),
      ...chat.flatMap(({ author, text, sent_at }, at) => [
        ...known.unknown(of('chat') + pointerOf(at, 'author'), author),
        ...timeProblems(of('chat') + pointerOf(at, 'sent_at'), sent_at, now, now),
        ...(isBlank(text)
          ? [{ pointer: of('chat') + pointerOf(at, 'text'), what: 'must have a visible character' }]
          : []),
      ]),
    ]
  })
}
