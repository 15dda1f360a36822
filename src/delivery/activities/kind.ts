import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { TokenScope } from '../../identity/tokens/scopes.ts'
import { type EventData, type EventKind, isOfKind, type LoggedEvent } from '../../platform/events/event.ts'
import type { ObjectMembers } from '../../platform/objects/shape.ts'
import type { ActivityReader } from './reader.ts'

/** What an activity concerns. Subscriptions are looked up by it. */
export type Subject =
  | { readonly user: string }
  /** Texts that keywords are matched against. */
  | { readonly texts: readonly string[] }
  | { readonly app: string }

/** `outbound`: the user of the filter acted. `inbound`: someone else acted on that user. */
export type Direction = 'outbound' | 'inbound'

/** Something that happened, from the point of view of one user. */
export interface Activity<Facts = unknown> {
  readonly kind: ActivityKind
  /** The domain event that caused it. */
  readonly event: LoggedEvent
  readonly subject: Subject
  readonly direction?: Direction | undefined
  readonly facts: Facts
  /** Of an activity that is emitted by hand: the members that replace those of its objects. */
  readonly over?: { readonly payload: object; readonly account: object }
}

/** What subscribers receive. */
export interface Rendered {
  readonly payload: ObjectMembers
  readonly includes?: ObjectMembers
}

/** Renders one activity; undefined when no one may see it any more. */
export type Render<Facts> = (facts: Facts) => Rendered | undefined

/** A kind of activity (core reference, 02 section 6.2). */
export interface ActivityKind {
  readonly name: string
  /** Other current names of the kind. Events have the name that the subscription used. */
  readonly otherNames: readonly string[]
  /** Names used before March 2026, each with the current name that events show instead. */
  readonly formerNames: ReadonlyMap<string, string>
  readonly description: string
  /** What a filter must name. */
  readonly filter: 'user' | 'keyword' | 'none'
  /** Whether a filter may have a direction. */
  readonly isDirected: boolean
  /**
   * The scope that the user of the filter must have granted the app; undefined for public
   * activities.
   */
  readonly scope: TokenScope | undefined
  readonly payload: TSchema
  readonly includes: TSchema | undefined
  /** Reads what many activities need, with few queries. */
  prepare(facts: readonly unknown[], reader: ActivityReader): Promise<Render<unknown>>
}

/** A kind, with the type of the facts that its activities are rendered from. */
export interface KindOf<Facts> extends ActivityKind {
  /** Creates an activity of this kind. */
  of(one: Omit<Activity<Facts>, 'kind'>): Activity
}

interface KindDeclaration<Facts> extends Pick<ActivityKind, 'name' | 'description' | 'payload'> {
  otherNames?: readonly string[]
  /** In addition to the one derived from the name. */
  formerNames?: readonly string[]
  filter?: ActivityKind['filter']
  isDirected?: boolean
  scope?: TokenScope
  includes?: TSchema
  prepare(facts: readonly Facts[], reader: ActivityReader): Promise<Render<Facts>>
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const pascal = (words: readonly string[]) =>
  words
    .flatMap((word) => word.split('_'))
    .map(capitalised)
    .join('')

/**
 * `profile.update.bio` → `ProfileBioUpdate`, `profile.update.profile_picture` →
 * `ProfilePictureUpdate`, `post.create` → `PostCreate`.
 */
function formerNameOf(name: string): string {
  const [first = '', second = '', ...rest] = name.split('.')
  return first === 'profile'
    ? pascal([first, ...rest.map((one) => one.replace(/^profile_/, '')), second])
    : pascal([first, second, ...rest])
}

/** Declares a kind of activity. */
export function activityKind<Facts>(declared: KindDeclaration<Facts>): KindOf<Facts> {
  const { name, otherNames = [], formerNames = [], prepare } = declared
  const derived = [name, ...otherNames].map((one): [string, string] => [formerNameOf(one), one])
  const kind: KindOf<Facts> = {
    ...declared,
    otherNames,
    formerNames: new Map([...derived, ...formerNames.map((one): [string, string] => [one, name])]),
    filter: declared.filter ?? 'user',
    isDirected: declared.isDirected ?? false,
    scope: declared.scope,
    includes: declared.includes,
    // Safe: only `of` creates activities of a kind, with the facts of that kind.
    prepare: prepare as ActivityKind['prepare'],
    of: (one) => ({ kind, ...one }),
  }
  return kind
}

/**
 * The post that an activity is about. When it is deleted, the activity is no longer sent. Undefined
 * for the deletion itself, and for activities that are not about a post.
 */
export function postOf({ kind, facts }: Activity): string | undefined {
  if (kind.name === 'post.delete') return undefined
  return (facts as { post_id?: string } | undefined)?.post_id
}

/** How domain events become activities. */
export interface ActivitySource {
  readonly events: readonly EventKind<never>[]
  /** Turns events of these kinds into activities, in order. */
  activitiesOf(events: readonly LoggedEvent[], reader: ActivityReader): Promise<Activity[]> | Activity[]
}

/** A source for one kind of events whose data contain everything that an activity needs. */
export const sourceOf = <Data extends EventData>(
  kind: EventKind<Data>,
  activitiesOf: (data: Data, event: LoggedEvent) => readonly Activity[],
): ActivitySource => ({
  events: [kind],
  activitiesOf: (events) =>
    events.flatMap((event) => (isOfKind(event, kind) ? activitiesOf(event.data, event) : [])),
})

/**
 * A positive 63-bit number. It is the same for all recipients of the activity, and stays the same
 * when the event is handled again.
 */
export function eventUuid({ kind, event, subject, direction }: Activity): string {
  const { position, at } = event as LoggedEvent<EventData>
  const text = JSON.stringify([at, position, kind.name, subject, direction ?? ''])
  return (createHash('sha256').update(text).digest().readBigUInt64BE() >> 1n).toString()
}
