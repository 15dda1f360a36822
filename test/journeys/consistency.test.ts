import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import {
  change,
  countsOfPost,
  countsOfUser,
  edit,
  okay,
  pagesOf,
  publish,
  react,
  relate,
  suspend,
  takeBack,
  unrelate,
} from '../support/actions.ts'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const USERS = 4
/** How often a post can be edited. */
const EDITS = 5
/** Sequences of actions on each kind of storage. */
const RUNS = 8

const KINDS = [
  ...(['publish', 'publish', 'reply', 'quote', 'edit', 'delete'] as const),
  ...(['likes', 'bookmarks', 'reposts', 'unlikes', 'unbookmarks', 'unreposts'] as const),
  ...(['follow', 'follow', 'unfollow', 'block', 'unblock'] as const),
  ...(['protect', 'unprotect', 'suspend', 'restore'] as const),
] as const

interface Step {
  kind: (typeof KINDS)[number]
  actor: number
  other: number
  post: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    actor: fc.nat(USERS - 1),
    other: fc.nat(USERS - 1),
    post: fc.nat(1_000),
  }),
  { minLength: 40, maxLength: 70 },
)

interface ModelPost {
  author: Member
  versions: string[]
  deleted: boolean
  replies?: ModelPost
  quotes?: ModelPost
  reposts?: ModelPost
}

type Reactions = 'likes' | 'bookmarks'

/** A user, with what the model knows of them. Lists are newest first. */
class Member {
  readonly person: Person
  protected = false
  suspended = false
  readonly follows: Member[] = []
  readonly requests: Member[] = []
  readonly blocks: Member[] = []
  readonly likes: ModelPost[] = []
  readonly bookmarks: ModelPost[] = []

  constructor(person: Person) {
    this.person = person
  }
}

const without = <One>(list: One[], one: One): boolean => {
  const at = list.indexOf(one)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
const newest = ({ versions }: ModelPost) => String(versions.at(-1))

/** What is expected of the platform, in the simplest form. */
class Model {
  readonly members: Member[]
  readonly posts: ModelPost[] = []
  readonly #opened: Opened

  constructor(members: Member[], opened: Opened) {
    this.members = members
    this.#opened = opened
  }

  sees(viewer: Member, post: ModelPost): boolean {
    const { author, reposts } = post
    const isHidden =
      post.deleted ||
      author.suspended ||
      author.blocks.includes(viewer) ||
      (author.protected && author !== viewer && !viewer.follows.includes(author))
    return !isHidden && (!reposts || this.sees(viewer, reposts))
  }

  async take({ kind, ...chosen }: Step): Promise<void> {
    this.#opened.plaza.clock.advance(1)
    const actor = this.members[chosen.actor]
    const other = this.members[chosen.other]
    const post = this.posts[chosen.post % Math.max(1, this.posts.length)]
    if (!actor || !other) return
    if (kind === 'protect' || kind === 'unprotect') return this.#protect(actor, kind === 'protect')
    if (kind === 'suspend' || kind === 'restore') return this.#suspend(actor, kind === 'suspend')
    if (actor.suspended) return
    if (kind === 'publish') return this.#add({ author: actor }, await publish(actor.person))
    if (kind === 'follow' || kind === 'unfollow' || kind === 'block' || kind === 'unblock')
      return actor === other ? undefined : this.#relate(kind, actor, other)
    if (post) await this.#onPost(kind, actor, post)
  }

  #add(post: Omit<ModelPost, 'versions' | 'deleted'>, id: string): void {
    this.posts.push({ ...post, versions: [id], deleted: false })
  }

  async #protect(user: Member, value: boolean): Promise<void> {
    await change(this.#opened.plaza, user.person, { protected: Number(value) })
    await this.#opened.plaza.tasks.runDue('accept follow requests')
    user.protected = value
    if (value) return
    for (const who of this.members) if (without(who.requests, user)) who.follows.unshift(user)
  }

  async #suspend(user: Member, value: boolean): Promise<void> {
    await suspend(this.#opened.plaza, user.person, value)
    user.suspended = value
  }

  async #relate(kind: 'follow' | 'unfollow' | 'block' | 'unblock', actor: Member, other: Member) {
    const { person } = actor
    if (kind === 'unfollow') {
      await unrelate(person, 'following', other.person)
      without(actor.follows, other)
      without(actor.requests, other)
    } else if (kind === 'unblock') {
      await unrelate(person, 'blocking', other.person)
      without(actor.blocks, other)
    } else if (other.suspended) return
    else if (kind === 'block') {
      await relate(person, 'blocking', other.person)
      if (!actor.blocks.includes(other)) actor.blocks.unshift(other)
      for (const [one, two] of [
        [actor, other],
        [other, actor],
      ] as const)
        for (const list of [one.follows, one.requests]) without(list, two)
    } else if (!actor.blocks.includes(other) && !other.blocks.includes(actor)) {
      await relate(person, 'following', other.person)
      if (actor.follows.includes(other)) return
      const list = other.protected ? actor.requests : actor.follows
      if (!list.includes(other)) list.unshift(other)
    }
  }

  async #onPost(kind: Step['kind'], actor: Member, post: ModelPost): Promise<void> {
    const { person } = actor
    // A call may name any version, and a repost stands for its original.
    const id = String(post.versions[0])
    const original = post.reposts ?? post
    const isSeen = this.sees(actor, post)
    switch (kind) {
      case 'reply':
        if (isSeen)
          this.#add(
            { author: actor, replies: original },
            await publish(person, { reply: { in_reply_to_post_id: newest(original) } }),
          )
        return
      case 'quote':
        if (isSeen)
          this.#add(
            { author: actor, quotes: original },
            await publish(person, { quote_post_id: newest(original) }),
          )
        return
      case 'edit': {
        const isPlain = !post.reposts && !post.replies
        if (post.author !== actor || post.deleted || !isPlain || post.versions.length > EDITS) return
        post.versions.push(await edit(person, newest(post)))
        return
      }
      case 'delete':
        if (post.author !== actor || post.deleted || post.reposts?.deleted) return
        okay(await person.core('DELETE', `/2/posts/${id}`))
        post.deleted = true
        return
      case 'reposts': {
        const mayRepost = !original.author.protected || original.author === actor
        if (!isSeen || !mayRepost) return
        const { data } = await react(person, 'reposts', id)
        const known = this.posts.find(
          (one) => one.author === actor && one.reposts === original && !one.deleted,
        )
        if (known) assert.equal(data?.id, newest(known))
        else this.#add({ author: actor, reposts: original }, String(data?.id))
        return
      }
      case 'unreposts':
        await takeBack(person, 'reposts', id)
        for (const one of this.posts) if (one.author === actor && one.reposts === original) one.deleted = true
        return
      case 'likes':
      case 'bookmarks':
        if (!isSeen) return
        await react(person, kind, id)
        if (!actor[kind].includes(original)) actor[kind].unshift(original)
        return
      case 'unlikes':
      case 'unbookmarks': {
        const name: Reactions = kind === 'unlikes' ? 'likes' : 'bookmarks'
        await takeBack(person, name, id)
        without(actor[name], original)
        return
      }
    }
  }

  #live = () => this.posts.filter((one) => !one.deleted && !one.reposts?.deleted)

  countsOf(post: ModelPost) {
    const live = this.#live()
    const of = (name: Reactions) => this.members.filter((one) => one[name].includes(post)).length
    return {
      repost_count: live.filter(({ reposts }) => reposts === post).length,
      reply_count: live.filter(({ replies }) => replies === post).length,
      like_count: of('likes'),
      quote_count: live.filter(({ quotes }) => quotes === post).length,
      bookmark_count: of('bookmarks'),
      impression_count: 0,
    }
  }

  profileOf(user: Member) {
    return {
      followers_count: this.members.filter(({ follows }) => follows.includes(user)).length,
      following_count: user.follows.length,
      post_count: this.#live().filter(({ author }) => author === user).length,
      listed_count: 0,
      like_count: user.likes.filter(({ deleted }) => !deleted).length,
    }
  }

  /** The lists that a user reads, with what they contain. */
  listsOf(user: Member): [path: string, ids: string[]][] {
    const { id } = user.person
    const seen = (posts: readonly ModelPost[]) => posts.filter((one) => this.sees(user, one)).map(newest)
    const active = (users: readonly Member[]) =>
      users.filter(({ suspended }) => !suspended).map(({ person }) => person.id)
    const newestFirst = this.posts
      .toReversed()
      .toSorted((one, two) => (BigInt(newest(one)) < BigInt(newest(two)) ? 1 : -1))
    const isRead = ({ author, reposts }: ModelPost) =>
      (author === user || user.follows.includes(author)) && !(reposts && user.blocks.includes(reposts.author))
    return [
      [`/2/users/${id}/bookmarks`, seen(user.bookmarks)],
      [`/2/users/${id}/liked_posts`, seen(user.likes)],
      [`/2/users/${id}/following`, active(user.follows)],
      [`/2/users/${id}/blocking`, active(user.blocks)],
      [`/2/users/${id}/posts`, seen(newestFirst.filter(({ author }) => author === user))],
      [`/2/users/${id}/timelines/reverse_chronological`, seen(newestFirst.filter(isRead))],
      ...this.posts
        .filter((one) => !one.reposts && this.sees(user, one))
        .map((one): [string, string[]] => [
          `/2/posts/${one.versions[0]}/quote_posts`,
          seen(newestFirst.filter(({ quotes }) => quotes === one)),
        ]),
    ]
  }
}

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  describe(`counts and lists after any actions on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    const differences = async (): Promise<Difference[]> => {
      const all: Difference[] = []
      const found = (one: Difference) => void all.push(one)
      for await (const { differing } of compareAll(opened.plaza.context.store, comparisons, {
        repair: false,
        found,
      }))
        assert.ok(differing >= 0)
      return all
    }

    const checkLists = async (model: Model) => {
      for (const user of model.members.filter(({ suspended }) => !suspended))
        for (const [path, ids] of model.listsOf(user)) {
          const least = path.includes('quote_posts') ? 10 : 5
          const pages = await pagesOf(user.person, `${path}?max_results=${least}`)
          assert.deepEqual(pages.flat(), ids, path)
          for (const page of pages.slice(0, -1)) assert.equal(page.length, least, path)
        }
    }

    test('counts equal the rows, and lists what is visible', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const members: Member[] = []
          for (let index = 0; index < USERS; index++) {
            const person = await Person.join(opened.plaza, client)
            await change(opened.plaza, person, { subscription_type: 'Premium' })
            members.push(new Member(person))
          }
          const model = new Model(members, opened)
          for (const step of taken) await model.take(step)
          // Before and after what deleted posts left behind is removed.
          await checkLists(model)
          await opened.plaza.tasks.runDue('remove reactions to post')
          await checkLists(model)
          for (const user of members.filter(({ suspended }) => !suspended))
            assert.deepEqual(await countsOfUser(user.person), model.profileOf(user))
          for (const user of members.filter(({ suspended }) => !suspended))
            for (const post of model.posts.filter((one) => !one.reposts && model.sees(user, one)))
              for (const version of post.versions)
                assert.deepEqual(await countsOfPost(user.person, version), model.countsOf(post))
          assert.deepEqual(await differences(), [])
        }),
        { numRuns: RUNS },
      )
    })
  })
}
