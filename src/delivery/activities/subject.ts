import { wordsOf } from '../../domain/query-language/tokenize.ts'
import type { Activity, ActivityKind, Direction, Subject } from './kind.ts'
import type { ActivitySubscriptionRow } from './tables.ts'

/** What a subscription asks for. */
export interface Filter {
  readonly user_id?: string | undefined
  readonly keyword?: string | undefined
  readonly direction?: string | undefined
}

/** The directions that a filter may name, with their meanings. */
const DIRECTIONS: Readonly<Record<DirectionName, Direction>> = {
  sent: 'outbound',
  outbound: 'outbound',
  received: 'inbound',
  inbound: 'inbound',
}
export const DIRECTION_NAMES = ['sent', 'received', 'outbound', 'inbound'] as const
export type DirectionName = (typeof DIRECTION_NAMES)[number]

const directionOf = (name: string | null | undefined): Direction | undefined =>
  name === null || name === undefined ? undefined : DIRECTIONS[name as DirectionName]

/**
 * The key under which subscriptions with a filter are stored. A keyword is found by its first word.
 */
export function subjectOfFilter({ filter }: ActivityKind, app: string, { user_id, keyword }: Filter): string {
  switch (filter) {
    case 'user':
      return `user:${user_id}`
    case 'keyword':
      return `word:${wordsOf(keyword ?? '')[0]}`
    case 'none':
      return `app:${app}`
  }
}

/** A kind and a filter, in the form in which subscriptions are compared. */
export function filterKeyOf(kind: ActivityKind, app: string, filter: Filter): string {
  const words = kind.filter === 'keyword' ? wordsOf(filter.keyword ?? '') : []
  const direction = directionOf(filter.direction) ?? ''
  return JSON.stringify([kind.name, subjectOfFilter(kind, app, filter), words.join(' '), direction])
}

/** The keys under which subscriptions that could match an activity are stored. */
export function subjectsOf(subject: Subject): string[] {
  if ('user' in subject) return [`user:${subject.user}`]
  if ('app' in subject) return [`app:${subject.app}`]
  return [...new Set(subject.texts.flatMap((text) => wordsOf(text)))].map((word) => `word:${word}`)
}

/** Whether a subscription found by kind and subject matches the activity. */
export function matches(activity: Activity, { direction, keyword }: ActivitySubscriptionRow): boolean {
  const wanted = directionOf(direction)
  if (wanted !== undefined && activity.direction !== undefined && wanted !== activity.direction) return false
  return (
    !('texts' in activity.subject) || activity.subject.texts.some((text) => contains(text, keyword ?? ''))
  )
}

/** Whether a text contains the words of a keyword in sequence. */
function contains(text: string, keyword: string): boolean {
  const all = wordsOf(text)
  const wanted = wordsOf(keyword)
  return all.some((_, at) => wanted.every((word, index) => all[at + index] === word))
}
