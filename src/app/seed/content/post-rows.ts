import type { Dictionary } from '../../../domain/annotations/dictionary.ts'
import { keyOf } from '../../../domain/media/media.ts'
import type { WholeFile } from '../../../domain/media/uploads.ts'
import type { ReactionRow } from '../../../domain/posts/engagement-tables.ts'
import { type NewPost, NO_APP, repostRow, rowOfFormerPost } from '../../../domain/posts/insert.ts'
import { languageOf, readNotes } from '../../../domain/posts/language.ts'
import type { RepostVocabulary } from '../../../domain/posts/repost-text.ts'
import type { PollOptionRow, PollRow, PostRow } from '../../../domain/posts/tables.ts'
import { normalised } from '../../../domain/posts/weight.ts'
import { IDS_PER_MS, type IdSource, idAt, MAX_NODE } from '../../../platform/common/ids.ts'
import { entitiesWith } from '../../../platform/text/entities.ts'
import type { Seed } from '../schema.ts'
import { type PlacedPost, placedPosts } from './posts-in-order.ts'
import type { SeedMedium } from './schema.ts'

/** A user of a seed, as rows of posts need it. */
export interface SeedPerson {
  readonly id: string
  readonly screenName: string
}

/** A medium of a post, which is written after the post. */
export interface MediumOfPost {
  readonly id: string
  readonly userId: string
  readonly altText: string | undefined
  /** When it was uploaded. */
  readonly now: number
  readonly file: WholeFile
  readonly post: PostRow
  /** Its place in the seed. */
  readonly pointer: string
}

/** Rows of posts and of what belongs to them. */
export interface PostRows {
  readonly posts: readonly PostRow[]
  readonly polls: readonly PollRow[]
  readonly options: readonly PollOptionRow[]
  readonly likes: readonly ReactionRow[]
  readonly bookmarks: readonly ReactionRow[]
  readonly media: readonly MediumOfPost[]
  /** The ids of posts that the seed names. */
  readonly idOf: ReadonlyMap<string, string>
}

interface RowParts {
  readonly now: number
  readonly ids: IdSource
  readonly vocabulary: RepostVocabulary
  /** Finds names and topics in texts. */
  readonly dictionary: Dictionary
  /** The stored files of its media. */
  readonly files: ReadonlyMap<SeedMedium, WholeFile>
  /** The ids of the communities that the seed names. */
  readonly communities: ReadonlyMap<string, string>
  personNamed(screenName: string): SeedPerson
}

const MINUTE_MS = 60_000

/** Ids of past times, each of which is returned once. */
export class PastIds {
  readonly #used = new Map<number, number>()

  next(timeMs: number): string {
    for (let at = timeMs; ; at++) {
      const used = this.#used.get(at) ?? 0
      if (used === IDS_PER_MS) continue
      this.#used.set(at, used + 1)
      return idAt(at, MAX_NODE, used)
    }
  }
}

/**
 * The rows of the posts of a seed, with all counts. Finding the language of a text takes long, so
 * it comes before the transaction.
 */
export async function rowsOfPosts(seed: Seed, parts: RowParts): Promise<PostRows> {
  const builder = new PostRowBuilder(parts)
  const placed = placedPosts(seed, parts.now)
  // Stable: posts of one time stay in the order of the file.
  for (const one of placed.toSorted((a, b) => a.at - b.at)) await builder.add(one)
  return builder.rows()
}

class PostRowBuilder {
  readonly #parts: RowParts
  readonly #ids = new PastIds()
  readonly #rowOf = new Map<PlacedPost, PostRow>()
  readonly #named = new Map<string, PostRow>()
  readonly #posts: PostRow[] = []
  readonly #reposts: { original: PostRow; author: SeedPerson; by: SeedPerson; at: number }[] = []
  readonly #polls: PollRow[] = []
  readonly #options: PollOptionRow[] = []
  readonly #likes: ReactionRow[] = []
  readonly #bookmarks: ReactionRow[] = []
  readonly #media: MediumOfPost[] = []

  constructor(parts: RowParts) {
    this.#parts = parts
  }

  async add(placed: PlacedPost): Promise<void> {
    const { post, at } = placed
    const author = this.#parts.personNamed(placed.author)
    const text = normalised(post.text ?? '')
    const replied = this.#referred(placed.repliesTo)
    const quoted = this.#referred(post.quotes)
    const media = this.#mediaOf(placed)
    const values: NewPost = {
      environment: 'production',
      authorId: author.id,
      text,
      nullcast: false,
      replySettings: post.reply_settings ?? 'everyone',
      appId: NO_APP,
      contributorId: null,
      mediaKeys: media.map(({ id, file }) => keyOf(file.category, id)),
      ...(replied && { inReplyTo: replied }),
      quotedPostId: quoted?.id ?? null,
      communityId: replied?.community_id ?? this.#communityOf(post),
      shareWithFollowers: post.share_with_followers ?? false,
      pollId: this.#poll(placed),
      pollOptions: post.poll?.options.map(({ label }) => label),
      sensitive: post.possibly_sensitive ?? false,
      given: post,
    }
    const lang = post.lang ?? (await languageOf(text))
    const row = rowOfFormerPost(values, { id: this.#ids.next(at), at }, { lang, ...this.#notes(text) })
    if (replied) replied.reply_count++
    if (quoted) quoted.quote_count++
    this.#posts.push(row)
    this.#media.push(...media.map((medium) => ({ ...medium, post: row })))
    this.#rowOf.set(placed, row)
    if (post.id !== undefined) this.#named.set(post.id, row)
    this.#react(placed, row, author)
  }

  rows(): PostRows {
    const { vocabulary, ids } = this.#parts
    const reposts = this.#reposts
      .toSorted((a, b) => a.at - b.at)
      .map(({ original, author, by, at }) =>
        repostRow(
          original,
          {
            authorId: by.id,
            appId: NO_APP,
            contributorId: null,
            screenName: author.screenName,
            nullcast: false,
          },
          {
            clock: { now: () => at },
            ids: { ...ids, next: () => this.#ids.next(at) },
            naming: { vocabulary },
          },
        ),
      )
    return {
      posts: [...this.#posts, ...reposts],
      polls: this.#polls,
      options: this.#options,
      likes: this.#likes,
      bookmarks: this.#bookmarks,
      media: this.#media,
      idOf: new Map([...this.#named].map(([name, { id }]) => [name, id])),
    }
  }

  #communityOf({ community }: PlacedPost['post']): string | null {
    return community === undefined ? null : (this.#parts.communities.get(community) ?? null)
  }

  #referred(post: string | PlacedPost | undefined): PostRow | undefined {
    return typeof post === 'string' ? this.#named.get(post) : post && this.#rowOf.get(post)
  }

  #notes(text: string) {
    const { entities: read, contexts } = readNotes(text, this.#parts.dictionary)
    const users = read.mentions.flatMap(({ username }) => {
      const id = this.#idOfMentioned(username)
      return id === undefined ? [] : [[username.toLowerCase(), id] as const]
    })
    return { entities: entitiesWith(read, new Map(users)), contexts }
  }

  #idOfMentioned(username: string): string | undefined {
    try {
      return this.#parts.personNamed(username).id
    } catch {
      return undefined
    }
  }

  #mediaOf({ post, author, at, pointer }: PlacedPost): Omit<MediumOfPost, 'post'>[] {
    const { files, personNamed } = this.#parts
    return (post.media ?? []).flatMap((medium, index) => {
      const file = files.get(medium)
      if (!file) return []
      const id = this.#ids.next(at)
      const userId = personNamed(author).id
      return [{ id, userId, altText: medium.alt_text, now: at, file, pointer: `${pointer}/media/${index}` }]
    })
  }

  #poll({ post: { poll }, at }: PlacedPost): string | null {
    if (!poll) return null
    const id = this.#ids.next(at)
    const { duration_minutes, options } = poll
    this.#polls.push({ id, duration_minutes, ends_at: at + duration_minutes * MINUTE_MS })
    for (const [index, { label, votes = 0 }] of options.entries())
      this.#options.push({ poll_id: id, position: index + 1, label, votes })
    return id
  }

  /** Reactions follow the post a minute apart, and none is in the future. */
  #react({ post, at }: PlacedPost, row: PostRow, author: SeedPerson): void {
    const { now, personNamed } = this.#parts
    const timeOf = (index: number) => Math.min(now, at + (index + 1) * MINUTE_MS)
    const reactions = (names: readonly string[] = []): ReactionRow[] =>
      names.map((name, index) => ({
        user_id: personNamed(name).id,
        post_id: row.id,
        created_at: timeOf(index),
      }))
    this.#likes.push(...reactions(post.likes))
    this.#bookmarks.push(...reactions(post.bookmarks))
    row.like_count = post.likes?.length ?? 0
    row.bookmark_count = post.bookmarks?.length ?? 0
    row.repost_count = post.reposts?.length ?? 0
    for (const [index, name] of (post.reposts ?? []).entries())
      this.#reposts.push({ original: row, author, by: personNamed(name), at: timeOf(index) })
  }
}
