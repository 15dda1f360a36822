import type { StoringDependencies } from '../../../domain/media/dependencies.ts'
import { type ImportedPost, NO_COUNTS } from '../../../domain/posts/import/imported-post.ts'
import { locations } from '../../../domain/reference-data/locations.ts'
import { currentSpaces, spacesByIds } from '../../../domain/spaces/queries.ts'
import {
  addUnannouncedSpace,
  createSpace,
  MAX_CURRENT,
  MAX_TITLE,
  type NewSpace,
} from '../../../domain/spaces/spaces.ts'
import { type AddedUser, addGeneratedUsers } from '../../../identity/users/queries.ts'
import { ID_EPOCH_MS, IDS_PER_MS, idAt, MAX_NODE, nextBase36 } from '../../../platform/common/ids.ts'
import { once } from '../../../platform/common/lookup.ts'
import { seededRandom } from '../../../platform/common/random.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { GenerateOptions, PostGenerator } from '../../../workbench/imports/post-imports.ts'
import { DAY_MS, DataGenerator } from './generator.ts'
import { type GeneratedImage, storeImages } from './images.ts'
import { type Language, languages } from './languages.ts'

/**
 * The parameters of generated posts. The same values give the same posts. `endMs`: the time of the
 * newest post.
 */
export interface GeneratedPostsOptions extends GenerateOptions {
  endMs: number
}

const MINUTE_MS = 60_000
/** Authors of a transaction. */
const AUTHORS_AT_ONCE = 250
/** Maximum number of posts that others refer to, newest first, so that memory is bounded. */
const RECENT = 4_000
const NAMES = 20_000
const SEED_STEP = 61
/** The share of all posts during a burst. */
const BURST_SHARE = 0.3
const BURST_MINUTES = 90
/** How long before the newest post the last burst begins, so that there is news. */
const LAST_BURST_MINUTES = 120
/** The share of posts of a burst that link to it. */
const BURST_LINK_SHARE = 0.3
const SHARES = {
  repost: 0.15,
  quote: 0.05,
  link: 0.14,
  hashtag: 0.22,
  mention: 0.08,
  place: 0.08,
}
const MAX_IMAGES = 4
/** Characters of an answer. */
const MAX_POLL_LABEL = 25
const SPACE_DAYS_AHEAD = 2
const EMOJI = ['🎉', '😂', '🔥', '❤️', '🙏', '👀', '✨', '😅']
const SYLLABLES = 'ka lo mi ra ne ta vo si du pe mar zen tor lin bel ko fa ri sun dex'.split(' ')

/** The cities of a country. */
const citiesByCountry = once(() => {
  const found = new Map<string, string[]>()
  for (const { id, type, countryCode } of locations()) {
    if (type !== 'CITIES') continue
    const cities = found.get(countryCode) ?? []
    found.set(countryCode, cities)
    cities.push(id)
  }
  return found
})

interface Author {
  user: AddedUser
  language: Language
  country: string
  /** The topics that the author writes about, by their number. */
  topics: readonly number[]
}

interface RecentPost {
  id: string
  author: Author
  topic: number
  isRepost: boolean
  repostedBy: Set<Author>
}

/** Something that many users write about for a while, with one hashtag and often with one link. */
interface Burst {
  startMs: number
  endMs: number
  topic: number
  name: string
}

/** Generates authors and their posts, replies, quotes and reposts, ordered by time. */
export class GeneratedPosts extends DataGenerator {
  readonly authors: readonly Author[]
  readonly #options: GeneratedPostsOptions
  readonly #names: readonly string[]
  /** The last one first. */
  readonly bursts: readonly Burst[]
  readonly #recent: RecentPost[] = []
  #images: readonly GeneratedImage[] = []
  #lastMs = 0
  #sequence = 0

  constructor(options: GeneratedPostsOptions) {
    super(seededRandom(`posts ${options.seed}`))
    this.#options = options
    this.#names = Array.from({ length: NAMES }, () => this.#inventName())
    const byShare = languages().flatMap((one) => Array.from({ length: one.share }, () => one))
    this.authors = Array.from({ length: options.authors }, (_, n) => this.#author(n, this.pick(byShare)))
    this.bursts = Array.from({ length: Math.ceil(options.days * options.bursts) }, (_, n) =>
      this.#burst(n === 0),
    )
  }

  /** Stores the images, which posts show afterwards. */
  async storeImages(dependencies: StoringDependencies): Promise<void> {
    if (this.#options.images > 0) this.#images = await storeImages(dependencies)
  }

  *posts(): Generator<ImportedPost> {
    const { count } = this.#options
    for (const timeMs of this.#times(count)) yield this.#post(timeMs)
  }

  /** Zipf distribution: small numbers are likely. */
  #rank = (count: number) => Math.floor(count ** this.fraction()) - 1

  #inventName(): string {
    const name = Array.from({ length: 2 + this.below(3) }, () => this.pick(SYLLABLES)).join('')
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  }

  #author(n: number, language: Language): Author {
    const { seed, days, endMs } = this.#options
    const country = this.pick(language.countries)
    const name = this.pick(language.names)
    const screenName = `${name.slice(0, 6)}_${seed.toString(36).slice(0, 3)}_${n.toString(36)}`
    const createdAt = Math.max(
      ID_EPOCH_MS,
      Math.floor(endMs - days * DAY_MS - this.fraction() * 2000 * DAY_MS),
    )
    const id = idAt(createdAt, MAX_NODE, n % IDS_PER_MS)
    const topics = Array.from({ length: 1 + this.below(3) }, () => this.#rank(language.topics.length))
    const words = topics.map((topic) => language.topics[topic] as string)
    return { user: this.user({ id, createdAt, screenName, name, topics: words }), language, country, topics }
  }

  #burst(isLast: boolean): Burst {
    const { days, endMs } = this.#options
    const agoMs = this.fraction() * days * DAY_MS
    const startMs = endMs - (isLast ? LAST_BURST_MINUTES * MINUTE_MS : agoMs)
    const endsMs = startMs + BURST_MINUTES * MINUTE_MS * (0.5 + this.fraction())
    return { startMs, endMs: endsMs, topic: this.below(14), name: this.#name() }
  }

  /** The names of products and people: a few are well known. */
  #name(): string {
    return this.#names[this.#rank(NAMES)] as string
  }

  /** Ascending times: more by day than by night, and more during a burst. */
  *#times(count: number): Generator<number> {
    const { days, endMs } = this.#options
    const minutes = Math.max(1, Math.floor(days * 1440))
    const startMs = endMs - minutes * MINUTE_MS
    const weights = new Float64Array(minutes)
    for (let minute = 0; minute < minutes; minute++)
      weights[minute] = 1 + 0.6 * Math.sin(((minute % 1440) / 1440) * 2 * Math.PI - 2)
    for (const { startMs: from, endMs: to } of this.bursts)
      for (let at = from; at < Math.min(to, endMs); at += MINUTE_MS) {
        const minute = Math.floor((at - startMs) / MINUTE_MS)
        if (minute >= 0 && minute < minutes) weights[minute] = (weights[minute] ?? 1) * 1.6
      }
    const total = weights.reduce((sum, one) => sum + one, 0)
    let owed = 0
    let made = 0
    for (let minute = 0; minute < minutes && made < count; minute++) {
      owed += ((weights[minute] ?? 0) / total) * count
      const here = minute === minutes - 1 ? count - made : Math.min(Math.round(owed) - made, count - made)
      for (let n = 0; n < here; n++)
        yield startMs + minute * MINUTE_MS + Math.floor(((n + this.fraction()) / here) * MINUTE_MS)
      made += Math.max(0, here)
    }
  }

  #id(timeMs: number): string {
    this.#sequence = timeMs === this.#lastMs ? this.#sequence + 1 : 0
    this.#lastMs = timeMs
    // Posts of another seed have other ids.
    return idAt(timeMs, MAX_NODE, (this.#options.seed * SEED_STEP + this.#sequence) % IDS_PER_MS)
  }

  #post(timeMs: number): ImportedPost {
    const author = this.authors[this.#rank(this.authors.length + 1)] as Author
    const id = this.#id(timeMs)
    const kind = this.fraction()
    const { replies } = this.#options
    const replyShare = replies / 100
    const target = kind < replyShare + SHARES.repost + SHARES.quote ? this.#target(author) : undefined
    if (target && kind < SHARES.repost && !target.repostedBy.has(author))
      return this.#repost(id, timeMs, author, target)
    const burst = this.bursts.find(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs)
    const isInBurst = burst !== undefined && this.isLucky(BURST_SHARE)
    const topic = target?.topic ?? (isInBurst ? burst.topic : this.pick(author.topics))
    const isReply = target !== undefined && kind < SHARES.repost + replyShare
    this.#remember({ id, author, topic, isRepost: false, repostedBy: new Set() })
    return {
      ...this.#base(id, timeMs, author),
      text: this.#text(author, topic, { isReply, name: isInBurst ? burst.name : this.#name(), isInBurst }),
      ...(target && (isReply ? { repliesTo: target.id } : { quotes: target.id })),
      ...(this.isLucky(SHARES.place) && this.#place(author)),
      ...this.#attachments(author, target !== undefined),
    }
  }

  /** A poll, or images. Without either option, the posts are those of earlier versions. */
  #attachments(author: Author, isReference: boolean): Pick<ImportedPost, 'poll' | 'images'> {
    const { polls, images, replies } = this.#options
    // Replies, reposts and quotes have no polls.
    const others = 1 - replies / 100 - SHARES.repost - SHARES.quote
    const polled = Math.min(polls / 100, others)
    if (polls > 0 && !isReference && this.isLucky(polled / others)) return { poll: this.#poll(author) }
    if (images === 0 || !this.isLucky(images / 100 / (1 - SHARES.repost - polled))) return {}
    const count = this.isLucky(0.7) ? 1 : 2 + this.below(MAX_IMAGES - 1)
    return { images: Array.from({ length: count }, () => this.pick(this.#images)) }
  }

  #poll({ language: { topics } }: Author) {
    const labels = new Set(
      Array.from({ length: 2 + this.below(3) }, () => this.pick(topics).slice(0, MAX_POLL_LABEL)),
    )
    for (const topic of topics) if (labels.size < 2) labels.add(topic.slice(0, MAX_POLL_LABEL))
    return {
      options: [...labels].map((label) => ({ label, votes: this.unequal(1, 10_000) })),
      durationMinutes: this.pick([60, 1440, 4320, 10_080]),
    }
  }

  /** Spaces from the first day until two days after the newest post, earliest first. */
  *spaces(): Generator<NewSpace & { startsAt: number; lastsMs: number }> {
    const { spaces, days, endMs } = this.#options
    const spanMs = (days + SPACE_DAYS_AHEAD) * DAY_MS
    const firstMs = endMs - days * DAY_MS
    for (let n = 0; n < spaces; n++) {
      const { user, language } = this.pick(this.authors)
      const topic = this.pick(language.topics)
      yield {
        creatorId: user.id,
        title: `${this.#name()}: ${topic}`.slice(0, MAX_TITLE),
        lang: language.code,
        ...{ cohostIds: [], speakerIds: [], invitedIds: [] },
        startsAt: Math.floor(firstMs + ((n + this.fraction()) / spaces) * spanMs),
        lastsMs: (20 + this.below(100)) * MINUTE_MS,
      }
    }
  }

  #repost(id: string, timeMs: number, author: Author, target: RecentPost): ImportedPost {
    target.repostedBy.add(author)
    return { ...this.#base(id, timeMs, author), text: '', reposts: target.id }
  }

  #base(id: string, createdAt: number, { user, language }: Author) {
    const like_count = this.isLucky(0.4) ? this.unequal(2, 50_000) : 0
    const impression_count = like_count * 20 + this.below(Math.min(user.followers_count, 1_000) + 20)
    const bookmark_count = Math.floor(like_count * this.fraction() * 0.1)
    return {
      ...{ id, author: { id: user.id }, createdAt, lang: language.code, isSensitive: this.isLucky(0.01) },
      counts: { ...NO_COUNTS, like_count, impression_count, bookmark_count },
      replySettings: 'everyone' as const,
    }
  }

  #place({ country }: Author): { placeId?: string } {
    const cities = citiesByCountry().get(country)
    return cities ? { placeId: this.pick(cities) } : {}
  }

  /** A recent post, preferably in the author's language. */
  #target({ language }: Author): RecentPost | undefined {
    for (let attempt = 0; attempt < 4; attempt++) {
      const found = this.#recent[this.#recent.length - 1 - this.#rank(this.#recent.length + 1)]
      if (found && !found.isRepost && (found.author.language === language || attempt === 3)) return found
    }
    return undefined
  }

  #remember(post: RecentPost): void {
    this.#recent.push(post)
    // Moving all others costs less if it is done rarely.
    if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, RECENT)
  }

  #text(
    { language }: Author,
    topic: number,
    { isReply, name, isInBurst }: { isReply: boolean; name: string; isInBurst: boolean },
  ): string {
    const { topics, qualities, times, posts, replies } = language
    const values: Readonly<Record<string, string>> = {
      t: topics[topic % topics.length] as string,
      u: this.pick(topics),
      q: this.pick(qualities),
      w: this.pick(times),
      n: name,
    }
    const sentence = this.pick(isReply ? replies : posts).replace(/\{(\w)\}/g, (_, key) => values[key] ?? '')
    const mention = this.isLucky(SHARES.mention) ? ` @${this.pick(this.authors).user.screen_name}` : ''
    const tagged = this.isLucky(SHARES.hashtag) ? (this.isLucky(0.5) ? name : tagOf(values.t ?? '')) : ''
    const tag = isInBurst ? name : tagged
    const path = isInBurst ? 'live' : `${values.q?.length}/${this.below(10_000)}`
    const link = this.isLucky(isInBurst ? BURST_LINK_SHARE : SHARES.link)
      ? ` https://${name.toLowerCase()}.example.com/${path}`
      : ''
    return `${sentence}${mention}${tag && ` #${tag}`}${link}${this.isLucky(0.15) ? ` ${this.pick(EMOJI)}` : ''}`
  }
}

/** The last word of a topic, as a hashtag. */
const tagOf = (topic: string) => topic.split(/[\s’]/u).at(-1) as string

/** Adds the authors of generated posts, except those that exist. */
export async function addAuthors(store: Store, authors: GeneratedPosts['authors']): Promise<void> {
  const users = authors.map(({ user }) => user)
  for (let at = 0; at < users.length; at += AUTHORS_AT_ONCE)
    await store.write((tx) => addGeneratedUsers(tx, users.slice(at, at + AUTHORS_AT_ONCE)))
}

/**
 * Adds generated spaces, except those that exist, and those of users who have as many current ones
 * as they may. Their ids follow from their times.
 */
async function addSpaces(store: Store, generated: GeneratedPosts, seed: number): Promise<void> {
  const spaces = [...generated.spaces()].map((space, n) => ({
    space,
    // Those of another seed have other ids.
    ids: { next: () => idAt(space.startsAt, MAX_NODE, (seed * SEED_STEP + n) % IDS_PER_MS) },
  }))
  await store.write(async (tx) => {
    for (const { space, ids } of spaces) {
      const [known] = await tx.all(spacesByIds, { ids: JSON.stringify([nextBase36(ids)]) })
      if (known) continue
      const isOver = space.startsAt + space.lastsMs <= tx.now
      if (isOver) await addUnannouncedSpace(tx, space, { ids })
      else if (
        (await tx.all(currentSpaces, { creator: space.creatorId, limit: MAX_CURRENT })).length < MAX_CURRENT
      )
        await createSpace(tx, space, { ids })
    }
  })
}

/** What the command and the admin API generate. */
export const generatedPosts: PostGenerator = (options) => {
  const generated = new GeneratedPosts(options)
  return {
    addAuthors: (store) => addAuthors(store, generated.authors),
    addSpaces: (store) => addSpaces(store, generated, options.seed),
    storeImages: (dependencies) => generated.storeImages(dependencies),
    posts: () => generated.posts(),
  }
}
