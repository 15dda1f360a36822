import {
  type CheckedPost,
  postsToCheck,
  publicQuotes,
  usersToCheck,
} from '../../../domain/compliance/queries.ts'
import { noteDeleted, noteStatusChanged } from '../../../domain/notes/events.ts'
import { notesByIds } from '../../../domain/notes/queries.ts'
import {
  postDeleted,
  postDropped,
  postEdited,
  postUndropped,
  postUnliked,
  postWithheld,
} from '../../../domain/posts/events.ts'
import { versionsOf } from '../../../domain/posts/queries.ts'
import { ORGANIC, ORGANIC_TO_SOMEBODY } from '../../../domain/posts/visibility.ts'
import { userRestored, userSuspended } from '../../../identity/apps/events.ts'
import {
  type ProfileField,
  profileUpdated,
  userDeleted,
  userPlacesRemoved,
  userWithheld,
} from '../../../identity/users/events.ts'
import { compareIds, FIRST_ID } from '../../../platform/common/ids.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { isOfKind, type LoggedEvent } from '../../../platform/events/event.ts'
import type { Store } from '../../../platform/storage/store.ts'

// What became of posts, users and likes that were public, in lines of streams (core reference, 07
// sections 3 and 4).

export type ComplianceStream = 'posts' | 'users' | 'likes' | 'labels'

/** A line of a stream. */
export interface ComplianceLine {
  readonly stream: ComplianceStream
  /** The id that decides about the partition. */
  readonly id: string
  /** The line as JSON, with neutral names. */
  readonly json: string
}

type Reader = Pick<Store, 'all'>
type Lines = readonly ComplianceLine[]

/** Quotes that are read together. */
const QUOTES_AT_ONCE = 500

const line = (stream: ComplianceStream, id: string, data: object): ComplianceLine => ({
  ...{ stream, id, json: JSON.stringify({ data }) },
})

/** Members of a profile, by their names in lines. */
const FIELDS: { readonly [Field in ProfileField]?: string } = {
  name: 'profile.name',
  location: 'profile.location',
  description: 'profile.description',
  url: 'profile.url',
  profile_banner_url: 'profile.profileBanner.url',
  profile_image_url: 'profile.profileImage.url',
}

function linesOfUser(event: LoggedEvent): Lines {
  const at = { event_at: isoTime(event.at) }
  const about = (kind: string, id: string, more: object = {}) => [
    line('users', id, { [kind]: { user: { id }, ...more, ...at } }),
  ]
  if (isOfKind(event, userDeleted)) return about('user_delete', event.data.user_id)
  if (isOfKind(event, userSuspended)) return about('user_suspend', event.data.user_id)
  if (isOfKind(event, userRestored)) return about('user_unsuspend', event.data.user_id)
  if (isOfKind(event, userWithheld))
    return about('user_withheld', event.data.user_id, {
      withheld_in_countries: event.data.countries.split(','),
    })
  if (isOfKind(event, userPlacesRemoved))
    return about('scrub_geo', event.data.user_id, { up_to_post_id: event.data.up_to_post_id })
  if (!isOfKind(event, profileUpdated)) return []
  const { user_id, field, after } = event.data
  if (field === 'protected') return about(after === 1 ? 'user_protect' : 'user_unprotect', user_id)
  const profile_field = FIELDS[field]
  const change = { profile_field, new_value: String(after ?? '') }
  return profile_field === undefined ? [] : about('user_profile_modification', user_id, change)
}

/** What became of a post: the name of the event, and its members. */
function standingIn(event: LoggedEvent) {
  if (isOfKind(event, postDeleted)) return { name: 'delete', data: event.data, more: {} }
  if (isOfKind(event, postDropped)) return { name: 'drop', data: event.data, more: {} }
  if (isOfKind(event, postUndropped)) return { name: 'undrop', data: event.data, more: {} }
  if (!isOfKind(event, postWithheld)) return undefined
  const more = { withheld_in_countries: event.data.countries.split(',') }
  return { name: 'withheld', data: event.data, more }
}

/** The versions of a post that was deleted, dropped or withheld, and then the quotes of each. */
async function* linesOfStanding(event: LoggedEvent, store: Reader): AsyncGenerator<Lines> {
  const standing = standingIn(event)
  if (!standing || !isShown(standing.data)) return
  const { author_id } = standing.data
  const ids = standing.data.version_ids.split(',')
  const event_at = isoTime(event.at)
  const of = (id: string, more: object = {}) =>
    line('posts', id, { [standing.name]: { post: { id, author_id }, ...more, ...standing.more, event_at } })
  yield ids.map((id) => of(id))
  const application = { drop: 'apply', undrop: 'remove' }[standing.name]
  if (application)
    yield ids.map((id) =>
      line('labels', id, { public_post_unviewable: { post: { id, author_id }, application, event_at } }),
    )
  for (const id of ids)
    for (const visibility of [ORGANIC, ORGANIC_TO_SOMEBODY])
      for (let after = FIRST_ID; ; ) {
        const quotes = await store.all(publicQuotes, { post: id, visibility, after, limit: QUOTES_AT_ONCE })
        yield quotes.map((quote) => of(id, { quote_post_id: quote.id }))
        const last = quotes.at(-1)
        if (!last || quotes.length < QUOTES_AT_ONCE) break
        after = last.id
      }
}

/** Whether a post may have been public. Those that only advertisements show are not. */
const isShown = ({ environment, nullcast }: { environment: string; nullcast: boolean }) =>
  environment === 'production' && !nullcast

const isPublic = (post: CheckedPost) =>
  post.deleted + post.dropped + post.author_deleted + post.suspended + post.protected === 0

const checkedPost = async (id: string, store: Reader): Promise<CheckedPost | undefined> =>
  (await store.all(postsToCheck, { ids: JSON.stringify([id]) }))[0]

async function linesOfEdit(event: LoggedEvent, store: Reader): Promise<Lines> {
  if (!isOfKind(event, postEdited) || !isShown(event.data)) return []
  const { post_id: id } = event.data
  const row = await checkedPost(id, store)
  if (!row) return []
  const versions = (await store.all(versionsOf, { first: row.first_version_id })).map((one) => one.id)
  // It may have been edited again since.
  const edit_post_ids = versions.filter((version) => compareIds(version, id) <= 0)
  const edit = { post: { id }, initial_post_id: row.first_version_id, edit_post_ids }
  return [line('posts', row.first_version_id, { post_edit: { ...edit, event_at: isoTime(event.at) } })]
}

/** A like that was taken back, unless it was not public. */
async function linesOfLike(event: LoggedEvent, store: Reader): Promise<Lines> {
  if (!isOfKind(event, postUnliked)) return []
  const { user_id, post_id } = event.data
  const post = await checkedPost(post_id, store)
  const [user] = await store.all(usersToCheck, { ids: JSON.stringify([user_id]) })
  const isSeen = user?.deleted_at === null && user.suspended + user.protected === 0
  if (!post || !isPublic(post) || !isSeen) return []
  const favorite = { id: post.first_version_id, user_id }
  return [line('likes', favorite.id, { delete: { favorite, event_at: isoTime(event.at) } })]
}

const HELPFUL = 'currently_rated_helpful'

/** The status of a note before an event and after it; empty if it was deleted. */
function changeOfNote(event: LoggedEvent) {
  if (isOfKind(event, noteDeleted)) return { ...event.data, before: event.data.status, after: '' }
  return isOfKind(event, noteStatusChanged) ? { ...event.data, after: event.data.status } : undefined
}

/** A note that readers see from now on, or no longer. */
async function linesOfNote(event: LoggedEvent, store: Reader): Promise<Lines> {
  const change = changeOfNote(event)
  if (!change) return []
  const { note_id, post_id, test_mode, before, after } = change
  if (test_mode || (before === HELPFUL) === (after === HELPFUL)) return []
  const post = await checkedPost(post_id, store)
  if (!post || !isPublic(post)) return []
  const note =
    after === HELPFUL ? (await store.all(notesByIds, { ids: JSON.stringify([note_id]) }))[0] : undefined
  const public_post_notice = {
    ...{ post: { id: post_id, author_id: post.author_id }, event_type: 'community_note' },
    ...{ application: after === HELPFUL ? 'apply' : 'remove', event_at: isoTime(event.at) },
    ...{ label_title: 'Community note', ...(note && { details: note.text }) },
  }
  return [line('labels', post_id, { public_post_notice })]
}

/** The lines of all streams about some events, in their order, in pages. */
export async function* complianceLines(events: readonly LoggedEvent[], store: Reader): AsyncGenerator<Lines> {
  for (const event of events) {
    yield* linesOfStanding(event, store)
    for (const linesOf of [linesOfUser, linesOfEdit, linesOfLike, linesOfNote]) {
      const lines = await linesOf(event, store)
      if (lines.length > 0) yield lines
    }
  }
}
