import { truncated } from '../../../platform/common/cut-text.ts'
import { compareIds, LAST_ID, timeOfId } from '../../../platform/common/ids.ts'
import { parseInstant } from '../../../platform/common/instant.ts'
import type { WholeFile } from '../../media/uploads.ts'
import { isLocation } from '../../reference-data/locations.ts'
import type { GivenPost } from '../given.ts'
import type { ReplySettings } from '../insert.ts'
import { isTooLong, MAX_LENGTH, normalised, textFault } from '../weight.ts'
import { GIVEN_NAMES, readGiven } from './given.ts'

/** A past post, from a line of a file or generated. Times are epoch milliseconds. */
export interface ImportedPost {
  /** By default, derived from its time. */
  id?: string
  author: { id: string } | { username: string }
  text: string
  createdAt: number
  /** By default, detected. */
  lang?: string
  repliesTo?: string
  quotes?: string
  reposts?: string
  placeId?: string
  /** Longitude and latitude, in degrees. */
  coordinates?: readonly [number, number]
  counts: PostCounts
  isSensitive: boolean
  isPaidPartnership?: boolean
  cardUri?: string
  communityId?: string
  /** Whether followers see a post of a community too. */
  isForFollowers?: boolean
  replySettings: ReplySettings
  /** A question with two to four answers, which opened with the post. */
  poll?: { options: readonly { label: string; votes: number }[]; durationMinutes: number }
  /** Up to four, whose files are stored. */
  images?: readonly { file: WholeFile; altText: string }[]
  /** What it says that the platform does not find out by itself. */
  given?: GivenPost
}

export const COUNTS = [
  'repost_count',
  'reply_count',
  'like_count',
  'quote_count',
  'bookmark_count',
  'impression_count',
] as const

export type PostCounts = Record<(typeof COUNTS)[number], number>

export const NO_COUNTS: PostCounts = {
  repost_count: 0,
  reply_count: 0,
  like_count: 0,
  quote_count: 0,
  bookmark_count: 0,
  impression_count: 0,
}

/** Why a line is not a valid post. */
export class BadLine extends Error {
  override readonly name = 'BadLine'
}

/** A line that is in none of the forms of posts. */
export class UnknownForm extends BadLine {}

const FIRST_MS = timeOfId(0n)
const REPLY_SETTINGS = ['everyone', 'following', 'mentionedUsers', 'subscribers', 'verified'] as const
const REFERENCES = { replied_to: 'repliesTo', quoted: 'quotes', reposted: 'reposts' } as const

/** Members of posts of the API that are derived from others. They are ignored. */
const DERIVED = new Set([
  'context_annotations',
  'conversation_id',
  'display_text_range',
  'edit_controls',
  'edit_history_post_ids',
  'in_reply_to_user_id',
  'in_reply_to_user',
  'matched_media_notes',
  'matching_rules',
  'media_metadata',
  'non_public_metrics',
  'note_request_suggestions',
  'organic_metrics',
  'promoted_metrics',
  'source',
  'suggested_source_links',
  'withheld',
])
const READ = new Set([
  ...['id', 'text', 'author_id', 'username', 'created_at', 'lang', 'referenced_posts', 'geo'],
  ...['public_metrics', 'possibly_sensitive', 'reply_settings', 'paid_partnership', 'note_post'],
  ...['card_uri', 'community_id', 'scopes'],
  ...GIVEN_NAMES,
])

/** The members of a post that are read or ignored, or rejected by name. */
export const MEMBERS: readonly string[] = [...READ, ...DERIVED, 'attachments', 'place_id']

/**
 * Reads a post as the API shows it (core reference, 00 section 6.1), with `author_id` or
 * `username`, and with `created_at` or an `id`, which contains the time. The places must be ready
 * (`locationsReady`).
 * @throws BadLine
 */
export function readPost(given: Readonly<Record<string, unknown>>, now: number): ImportedPost {
  rejectUnknown(given)
  const references = referencesOf(given.referenced_posts)
  const id = idOf('id', given.id)
  const lang = matching('lang', given.lang, /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'a language such as "en"')
  const cardUri = matching('card_uri', given.card_uri, /^card:\/\/[0-9]{1,19}$/, 'such as "card://123"')
  // A post with an attachment or a quote may have an empty text. The text of a repost is that of
  // its post.
  const mayBeEmpty = references.quotes !== undefined || cardUri !== undefined
  return {
    ...(id !== undefined && { id }),
    author: authorOf(given),
    text: references.reposts === undefined ? textOf(given, { mayBeEmpty }) : '',
    createdAt: timeOf(given.created_at, id, now),
    ...(lang !== undefined && { lang }),
    ...references,
    ...geoOf(given.geo),
    counts: countsOf(given.public_metrics),
    isSensitive: flagOf('possibly_sensitive', given.possibly_sensitive),
    ...(flagOf('paid_partnership', given.paid_partnership) && { isPaidPartnership: true }),
    ...(cardUri !== undefined && { cardUri }),
    ...communityOf(given),
    replySettings: settingsOf(given.reply_settings),
    ...givenOf(given),
  }
}

/** Tools that collect posts note their own facts in members with two underscores. */
const isKnown = (name: string) => READ.has(name) || DERIVED.has(name) || name.startsWith('__')

function rejectUnknown(given: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(given).find((name) => !isKnown(name))
  if (unknown === 'attachments') throw new BadLine('posts with attachments cannot be imported')
  if (unknown === undefined) return
  const isPost = ['text', 'note_post', 'referenced_posts'].some((name) => name in given)
  throw new (isPost ? BadLine : UnknownForm)(`"${truncated(unknown, MAX_SHOWN)}" is not a member of a post`)
}

export function objectOf(name: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadLine(`${name} must be an object, not ${shown(value)}`)
  return value as Record<string, unknown>
}

const MAX_SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return truncated(text, MAX_SHOWN)
}

function matching(name: string, value: unknown, form: RegExp, what: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && form.test(value)) return value
  throw new BadLine(`${name} must be ${what}, not ${shown(value)}`)
}

function idOf(name: string, value: unknown): string | undefined {
  const id = matching(name, value, /^[1-9][0-9]{0,18}$/, 'an id: 1 to 19 digits in quotation marks')
  if (id !== undefined && compareIds(id, LAST_ID) > 0)
    throw new BadLine(`${name} is not a 64-bit number: ${id}`)
  return id
}

function authorOf({ author_id, username }: Record<string, unknown>): ImportedPost['author'] {
  if ((author_id === undefined) === (username === undefined))
    throw new BadLine('it must have either author_id or username')
  const id = idOf('author_id', author_id)
  if (id !== undefined) return { id }
  const name = matching(
    'username',
    username,
    /^@?[A-Za-z0-9_]{1,15}$/,
    'a name: 1 to 15 letters, digits or _',
  )
  return { username: String(name).replace('@', '') }
}

/** The text. For a long post, whose `text` is only the beginning, that of `note_post`. */
function textOf({ text, note_post: note }: Record<string, unknown>, rules: { mayBeEmpty: boolean }): string {
  if (note === undefined) return readText('text', text, rules)
  return readText('note_post.text', objectOf('note_post', note).text, rules)
}

function readText(name: string, value: unknown, { mayBeEmpty }: { mayBeEmpty: boolean }): string {
  if (typeof value !== 'string') throw new BadLine(`${name} must be a text, not ${shown(value)}`)
  const text = normalised(value)
  const fault = textFault(text)
  if (fault === 'blank' && !mayBeEmpty) throw new BadLine(`${name} must not be empty`)
  if (fault === 'unreadable') throw new BadLine(`${name} contains invalid characters`)
  if (isTooLong(text)) throw new BadLine(`${name} may have ${MAX_LENGTH} characters`)
  return text
}

function timeOf(value: unknown, id: string | undefined, now: number): number {
  const ofId = id === undefined ? undefined : timeOfId(id)
  const time = value === undefined ? ofId : instantOf(value)
  if (time === undefined) throw new BadLine('it must have created_at, or an id, which has a time')
  if (ofId !== undefined && Math.abs(ofId - time) >= 1000)
    throw new BadLine(`created_at must be the time of the id, ${new Date(ofId).toISOString()}`)
  const made = ofId ?? time
  if (made < FIRST_MS) throw new BadLine(`it must be from ${new Date(FIRST_MS).toISOString()} or later`)
  if (made > now) throw new BadLine('it must not be from the future')
  return made
}

function instantOf(value: unknown): number {
  const seconds = typeof value === 'string' ? parseInstant(value) : undefined
  if (seconds === undefined)
    throw new BadLine(`created_at must be a time such as "2026-01-31T12:00:00Z", not ${shown(value)}`)
  const fraction = /\.(\d{1,3})/.exec(String(value))?.[1] ?? '0'
  return seconds + Number(fraction.padEnd(3, '0'))
}

function referencesOf(value: unknown): Pick<ImportedPost, 'repliesTo' | 'quotes' | 'reposts'> {
  if (value === undefined) return {}
  if (!Array.isArray(value)) throw new BadLine(`referenced_posts must be a list, not ${shown(value)}`)
  const found: Pick<ImportedPost, 'repliesTo' | 'quotes' | 'reposts'> = {}
  for (const reference of value) {
    const { type, id } = objectOf('a referenced post', reference)
    if (!isReferenceType(type))
      throw new BadLine(
        `a referenced post must be of a type of ${Object.keys(REFERENCES).join(', ')}, not ${shown(type)}`,
      )
    const name = REFERENCES[type]
    if (found[name] !== undefined) throw new BadLine(`it refers to several posts of the type ${type}`)
    found[name] = idOf('the id of a referenced post', id ?? null) as string
  }
  if (found.reposts !== undefined && (found.repliesTo ?? found.quotes) !== undefined)
    throw new BadLine('a repost cannot be a reply or a quote')
  return found
}

const isReferenceType = (type: unknown): type is keyof typeof REFERENCES =>
  typeof type === 'string' && Object.hasOwn(REFERENCES, type)

function geoOf(value: unknown): Pick<ImportedPost, 'placeId' | 'coordinates'> {
  if (value === undefined) return {}
  const { place_id: id, coordinates: point } = objectOf('geo', value)
  const coordinates = point === undefined ? undefined : coordinatesOf(point)
  // A post may have a point without a place, but `geo` must not be empty.
  if (id === undefined && coordinates) return { coordinates }
  if (typeof id !== 'string' || !isLocation(id)) throw new BadLine(`there is no place ${shown(id)}`)
  return { placeId: id, ...(coordinates && { coordinates }) }
}

function coordinatesOf(value: unknown): readonly [number, number] {
  const { type, coordinates } = objectOf('geo.coordinates', value)
  const [longitude, latitude, ...more] = Array.isArray(coordinates) ? (coordinates as unknown[]) : []
  const isWithin = (degrees: unknown, most: number): degrees is number =>
    typeof degrees === 'number' && Math.abs(degrees) <= most
  if (type !== 'Point' || more.length > 0 || !isWithin(longitude, 180) || !isWithin(latitude, 90))
    throw new BadLine(
      `geo.coordinates must be such as {"type":"Point","coordinates":[11.57,48.14]}, longitude first, not ${shown(value)}`,
    )
  return [longitude, latitude]
}

function countsOf(value: unknown): PostCounts {
  if (value === undefined) return NO_COUNTS
  const given = objectOf('public_metrics', value)
  const counts = { ...NO_COUNTS }
  for (const name of COUNTS) {
    const count = given[name] ?? 0
    if (!Number.isSafeInteger(count) || (count as number) < 0)
      throw new BadLine(`${name} must be a whole number from 0 on, not ${shown(count)}`)
    counts[name] = count as number
  }
  return counts
}

function flagOf(name: string, value: unknown = false): boolean {
  if (typeof value !== 'boolean') throw new BadLine(`${name} must be true or false, not ${shown(value)}`)
  return value
}

/** Whether followers see a post of a community is in its scopes; other posts have none. */
function communityOf({ community_id, scopes }: Record<string, unknown>) {
  const communityId = idOf('community_id', community_id)
  const { followers } = scopes === undefined ? {} : objectOf('scopes', scopes)
  const isForFollowers = flagOf('scopes.followers', followers)
  if (isForFollowers && communityId === undefined) throw new BadLine('scopes.followers needs community_id')
  return {
    ...(communityId !== undefined && { communityId }),
    ...(isForFollowers && { isForFollowers }),
  }
}

function givenOf(members: Readonly<Record<string, unknown>>): Pick<ImportedPost, 'given'> {
  const given = readGiven(members, (sentence) => new BadLine(sentence))
  return given ? { given } : {}
}

function settingsOf(value: unknown = 'everyone'): ReplySettings {
  if (!REPLY_SETTINGS.includes(value as ReplySettings))
    throw new BadLine(`reply_settings must be one of ${REPLY_SETTINGS.join(', ')}, not ${shown(value)}`)
  return value as ReplySettings
}
