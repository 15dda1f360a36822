import type { TSchema } from 'typebox'
import type { EventData, EventKind, LoggedEvent } from '../events/event.ts'
import { isOfKind } from '../events/event.ts'
import type { TokenScope } from '../identity/scopes.ts'
import type { Shown } from '../objects/shape.ts'
import type { ActivityReader } from './reader.ts'

/** Whom or what an activity concerns: subscriptions are looked up by it. */
export type Subject =
  | { readonly user: string }
  /** Texts that a keyword is searched in. */
  | { readonly texts: readonly string[] }
  | { readonly app: string }

/** `outbound`: the user of the filter acted. `inbound`: someone else did, and it reached that user. */
export type Direction = 'outbound' | 'inbound'

/** Something that happened, seen from one user. */
export interface Activity<Facts = unknown> {
  readonly kind: ActivityKind
  /** The domain event that it follows from. */
  readonly event: LoggedEvent
  readonly subject: Subject
  readonly direction?: Direction | undefined
  readonly facts: Facts
  /** What an emitted activity shows, in place of what its facts say. */
  readonly given?: Rendered
}

/** What subscribers receive of an activity. */
export interface Rendered {
  readonly payload: Shown
  readonly includes?: Shown
}

/** Renders one activity; undefined when no one may see it (any more). */
export type Render<Facts> = (facts: Facts) => Rendered | undefined

/** A kind of activity (core reference, 02 section 6.2). */
export interface ActivityKind {
  readonly name: string
  /** Current names of the same kind. Events have the name that the subscription used. */
  readonly otherNames: readonly string[]
  /** Names of before March 2026, each with the one that events show in its place. */
  readonly formerNames: ReadonlyMap<string, string>
  readonly description: string
  /** What a filter has to name. */
  readonly filter: 'user' | 'keyword' | 'none'
  /** Whether a filter may choose a direction. */
  readonly isDirected: boolean
  /** The scope that the user of the filter must have given the app; undefined: everyone sees it. */
  readonly scope: TokenScope | undefined
  readonly payload: TSchema
  readonly includes: TSchema | undefined
  /** Reads what many activities need at once. */
  prepare(facts: readonly unknown[], reader: ActivityReader): Promise<Render<unknown>>
}

/** A kind with the facts that its activities are rendered from. */
export interface KindOf<Facts> extends ActivityKind {
  /** An activity of this kind. */
  of(one: Omit<Activity<Facts>, 'kind'>): Activity
}

interface Declared<Facts> extends Pick<ActivityKind, 'name' | 'description' | 'payload'> {
  otherNames?: readonly string[]
  /** Beside the one that follows from the name. */
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

/** `ProfileBioUpdate` of `profile.update.bio`, `PostCreate` of `post.create`. */
function formerNameOf(name: string): string {
  const [first = '', second = '', ...rest] = name.split('.')
  return first === 'profile' ? pascal([first, ...rest, second]) : pascal([first, second, ...rest])
}

/** Declares a kind of activity. */
export function activityKind<Facts>(declared: Declared<Facts>): KindOf<Facts> {
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
    // Activities of a kind are made by `of`, with its facts.
    prepare: prepare as ActivityKind['prepare'],
    of: (one) => ({ kind, ...one }),
  }
  return kind
}

/**
 * The post that an activity tells of: once that is deleted, the activity is not sent again. Undefined for the deletion
 * itself, and for what is about no post.
 */
export function postToldBy({ kind, facts }: Activity): string | undefined {
  if (kind.name === 'post.delete') return undefined
  return (facts as { post_id?: string } | undefined)?.post_id
}

/** How domain events become activities. */
export interface ActivitySource {
  readonly events: readonly EventKind<never>[]
  /** The activities of some events of these kinds, in their order. */
  activitiesOf(events: readonly LoggedEvent[], reader: ActivityReader): Promise<Activity[]> | Activity[]
}

/** A source of one kind of events that say by themselves what happened. */
export const sourceOf = <Data extends EventData>(
  kind: EventKind<Data>,
  activitiesOf: (data: Data, event: LoggedEvent) => readonly Activity[],
): ActivitySource => ({
  events: [kind],
  activitiesOf: (events) =>
    events.flatMap((event) => (isOfKind(event, kind) ? activitiesOf(event.data, event) : [])),
})
