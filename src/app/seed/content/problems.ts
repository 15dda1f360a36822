import { linkKey } from '../../../domain/link-previews/members.ts'
import { MAX_PINS } from '../../../domain/lists/lists.ts'
import { isTooLong, MAX_LENGTH, normalised, textFault } from '../../../domain/posts/weight.ts'
import { pointerOf } from '../../../platform/common/json-file.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { repeated, timeProblems, type Users } from '../known.ts'
import type { SeedProblem } from '../problem.ts'
import type { Seed } from '../schema.ts'
import { broadcastsProblems, sourcesProblems } from './broadcast-problems.ts'
import { fileProblem } from './media.ts'
import { instantOf, MAX_AHEAD_MS, type PlacedPost, placedPosts } from './posts-in-order.ts'

const MAX_CURRENT_SPACES = 10
const MAX_POSTS = 20_000
/** Of all posts together: each is a row. */
const MAX_REACTIONS = 200_000

/** What is wrong with the content of a seed, by the time of its start. */
export function contentProblems(seed: Seed, known: Users, now: number): SeedProblem[] {
  const posts = placedPosts(seed, now)
  return [
    ...profileProblems(seed, known, posts, now),
    ...postsProblems(seed, known, posts, now),
    ...messagesProblems(seed, known, now),
    ...spacesProblems(seed, known, posts, now),
    ...listsProblems(seed, known, now),
    ...communitiesProblems(seed, known, now),
    ...postsOfCommunitiesProblems(seed, posts),
    ...sourcesProblems(seed, known),
    ...broadcastsProblems(seed, known, now),
    ...previewProblems(seed),
  ]
}

const previewProblems = ({ link_previews = [] }: Seed): SeedProblem[] =>
  link_previews.flatMap(({ url }, index) =>
    linkKey(url) === undefined
      ? [{ pointer: pointerOf('link_previews', index, 'url'), what: `"${url}" is not a URL of a page` }]
      : [],
  )

function profileProblems(seed: Seed, known: Users, posts: readonly PlacedPost[], now: number): SeedProblem[] {
  const authorOf = new Map(posts.map(({ post, author }) => [post.id, author.toLowerCase()]))
  return seed.users.flatMap((user, index) => {
    const of = (member: string) => pointerOf('users', index, member)
    const { screen_name: self, pinned_post: pinned } = user
    const blocked = new Set((user.blocks ?? []).map((name) => name.toLowerCase()))
    return [
      ...timeProblems(of('created_at'), user.created_at, now, now),
      ...(user.can_sign_in === false && user.password !== undefined
        ? [{ pointer: of('password'), what: 'a user who cannot sign in has no password' }]
        : []),
      ...known.unknown(of('affiliation'), user.affiliation),
      ...known.listed(of('follows'), user.follows, self),
      ...known.listed(of('blocks'), user.blocks, self),
      ...known.listed(of('mutes'), user.mutes, self),
      ...(user.follows ?? []).flatMap((name, at) => {
        const blocks = known.named(name)?.blocks ?? []
        const isBlocked = blocks.some((other) => other.toLowerCase() === self.toLowerCase())
        if (!isBlocked && !blocked.has(name.toLowerCase())) return []
        const what = `"${self}" cannot follow "${name}": one of them blocks the other`
        return [{ pointer: of('follows') + pointerOf(at), what }]
      }),
      ...(pinned === undefined || authorOf.get(pinned) === self.toLowerCase()
        ? []
        : [{ pointer: of('pinned_post'), what: `"${self}" has no post "${pinned}" in this file` }]),
    ]
  })
}

function postsProblems(seed: Seed, known: Users, posts: readonly PlacedPost[], now: number): SeedProblem[] {
  const first = new Map<string, PlacedPost>()
  const place = new Map(posts.map((one, index) => [one, index]))
  const repeatedIds = posts.flatMap((one) => {
    const { id } = one.post
    if (id === undefined) return []
    const earlier = first.get(id)
    if (earlier) return [{ pointer: `${one.pointer}/id`, what: `is the same id as at ${earlier.pointer}/id` }]
    first.set(id, one)
    return []
  })
  const reactions = posts.reduce(
    (sum, { post: { likes = [], reposts = [], bookmarks = [] } }) =>
      sum + likes.length + reposts.length + bookmarks.length,
    0,
  )
  const isEarlier = (one: PlacedPost, other: PlacedPost) =>
    one.at < other.at || (one.at === other.at && (place.get(one) ?? 0) < (place.get(other) ?? 0))
  const references = (one: PlacedPost, member: string, name: string | undefined): SeedProblem[] => {
    if (name === undefined) return []
    const other = first.get(name)
    const pointer = `${one.pointer}/${member}`
    if (!other) return [{ pointer, what: `there is no post with the id "${name}" in this file` }]
    return isEarlier(other, one) ? [] : [{ pointer, what: `the post "${name}" is not earlier than this one` }]
  }
  return [
    ...(posts.length > MAX_POSTS
      ? [
          {
            pointer: '/posts',
            what: `a seed has up to ${MAX_POSTS} posts with those of threads, not ${posts.length}`,
          },
        ]
      : []),
    ...(reactions > MAX_REACTIONS
      ? [
          {
            pointer: '/posts',
            what: `a seed has up to ${MAX_REACTIONS} likes, reposts and bookmarks, not ${reactions}`,
          },
        ]
      : []),
    ...(seed.posts ?? []).flatMap(({ created_at, author }, index) => [
      ...known.unknown(pointerOf('posts', index, 'author'), author),
      ...timeProblems(pointerOf('posts', index, 'created_at'), created_at, now, now),
    ]),
    ...repeatedIds,
    ...posts.flatMap((one) => [
      ...textProblems(one),
      ...(typeof one.repliesTo === 'string' ? references(one, 'reply_to', one.repliesTo) : []),
      ...references(one, 'quotes', one.post.quotes),
      ...known.listed(`${one.pointer}/likes`, one.post.likes),
      ...known.listed(`${one.pointer}/bookmarks`, one.post.bookmarks),
      ...known.listed(`${one.pointer}/reposts`, one.post.reposts),
    ]),
  ]
}

/** A post shows one of these at most. */
const EXCLUSIVE = ['quotes', 'poll', 'media'] as const

function textProblems({ pointer, post }: PlacedPost): SeedProblem[] {
  const { text = '', poll } = post
  const normalizedText = normalised(text)
  const at = `${pointer}/text`
  const [shown, other] = EXCLUSIVE.filter((name) => post[name] !== undefined)
  const labels = (poll?.options ?? []).map(({ label }) => label)
  return [
    ...(textFault(normalizedText) === 'unreadable'
      ? [{ pointer: at, what: 'contains characters that cannot be stored' }]
      : []),
    ...(isTooLong(normalizedText) ? [{ pointer: at, what: `may have ${MAX_LENGTH} characters` }] : []),
    ...(normalizedText === '' && shown === undefined
      ? [{ pointer, what: 'a post needs a text, a quoted post, a poll or media' }]
      : []),
    ...(other === undefined
      ? []
      : [{ pointer: `${pointer}/${other}`, what: `a post has one of ${EXCLUSIVE.join(', ')}, not several` }]),
    ...(post.media ?? []).flatMap(({ file, data }, index) => {
      const where = `${pointer}/media/${index}`
      if ((file === undefined) === (data === undefined))
        return [{ pointer: where, what: 'a medium has either `file` or `data`' }]
      const what = file === undefined ? undefined : fileProblem(file)
      return what === undefined ? [] : [{ pointer: `${where}/file`, what }]
    }),
    ...labels.flatMap((label, index) => {
      const where = `${pointer}/poll/options/${index}/label`
      if (isBlank(label)) return [{ pointer: where, what: 'must have a visible character' }]
      return labels.indexOf(label) === index
        ? []
        : [{ pointer: where, what: `the answer "${label}" is there twice` }]
    }),
  ]
}

const messagesProblems = (seed: Seed, known: Users, now: number): SeedProblem[] =>
  (seed.direct_messages ?? []).flatMap(({ from, to, text, created_at }, index) => {
    const of = (member: string) => pointerOf('direct_messages', index, member)
    return [
      ...known.unknown(of('from'), from),
      ...known.listed(of('to'), to, from),
      ...timeProblems(of('created_at'), created_at, now, now),
      ...(textFault(normalised(text)) === 'unreadable'
        ? [{ pointer: of('text'), what: 'contains characters that cannot be stored' }]
        : []),
      ...(normalised(text) === '' ? [{ pointer: of('text'), what: 'must have a visible character' }] : []),
    ]
  })

function spacesProblems(seed: Seed, known: Users, posts: readonly PlacedPost[], now: number): SeedProblem[] {
  const names = new Set(posts.map(({ post }) => post.id))
  const current = new Map<string, number>()
  return (seed.spaces ?? []).flatMap((space, index) => {
    const of = (member: string) => pointerOf('spaces', index, member)
    const creator = space.creator.toLowerCase()
    const startsAt = instantOf(space.starts_at ?? isoTime(now), now, now + MAX_AHEAD_MS) ?? now
    const isOver = space.duration_minutes !== undefined && startsAt + space.duration_minutes * 60_000 <= now
    const count = (current.get(creator) ?? 0) + (isOver ? 0 : 1)
    current.set(creator, count)
    return [
      ...known.unknown(of('creator'), space.creator),
      ...known.listed(of('hosts'), space.hosts, space.creator),
      ...known.listed(of('speakers'), space.speakers),
      ...known.listed(of('invited'), space.invited),
      ...known.listed(of('buyers'), space.buyers),
      ...timeProblems(of('starts_at'), space.starts_at, now, now + MAX_AHEAD_MS),
      ...(isBlank(space.title) ? [{ pointer: of('title'), what: 'must have a visible character' }] : []),
      ...(!isOver && count > MAX_CURRENT_SPACES
        ? [
            {
              pointer: of('creator'),
              what: `"${space.creator}" has more than ${MAX_CURRENT_SPACES} live and scheduled spaces`,
            },
          ]
        : []),
      ...(space.posts ?? []).flatMap((name, at) =>
        names.has(name)
          ? []
          : [
              {
                pointer: of('posts') + pointerOf(at),
                what: `there is no post with the id "${name}" in this file`,
              },
            ],
      ),
    ]
  })
}

function listsProblems(seed: Seed, known: Users, now: number): SeedProblem[] {
  const pins = new Map<string, number>()
  return (seed.lists ?? []).flatMap((list, index) => {
    const of = (member: string) => pointerOf('lists', index, member)
    const isOwner = (name: string) => name.toLowerCase() === list.owner.toLowerCase()
    const followers = new Set((list.followers ?? []).map((name) => name.toLowerCase()))
    return [
      ...known.unknown(of('owner'), list.owner),
      ...known.listed(of('members'), list.members),
      ...known.listed(of('followers'), list.followers),
      ...known.listed(of('pinned_by'), list.pinned_by),
      ...timeProblems(of('created_at'), list.created_at, now, now),
      ...(isBlank(list.name) ? [{ pointer: of('name'), what: 'must have a visible character' }] : []),
      ...(list.followers ?? []).flatMap((name, at) =>
        list.private && !isOwner(name)
          ? [{ pointer: of('followers') + pointerOf(at), what: `"${name}" does not see this private list` }]
          : [],
      ),
      ...(list.pinned_by ?? []).flatMap((name, at) => {
        const key = name.toLowerCase()
        const count = (pins.get(key) ?? 0) + 1
        pins.set(key, count)
        const pointer = of('pinned_by') + pointerOf(at)
        if (!isOwner(name) && !followers.has(key))
          return [{ pointer, what: `"${name}" neither owns nor follows the list` }]
        return count > MAX_PINS ? [{ pointer, what: `"${name}" has more than ${MAX_PINS} pinned lists` }] : []
      }),
    ]
  })
}

const communitiesProblems = (seed: Seed, known: Users, now: number): SeedProblem[] => [
  ...(seed.communities ?? []).flatMap(({ name, members, created_at }, index) => {
    const of = (member: string) => pointerOf('communities', index, member)
    return [
      ...known.listed(of('members'), members),
      ...timeProblems(of('created_at'), created_at, now, now),
      ...(isBlank(name) ? [{ pointer: of('name'), what: 'must have a visible character' }] : []),
    ]
  }),
  ...repeated(
    (seed.communities ?? []).map(({ id }, index) => ({
      pointer: pointerOf('communities', index, 'id'),
      value: id,
    })),
    'id',
  ),
]

/** The author of a past post need not be a member any more. */
function postsOfCommunitiesProblems(seed: Seed, posts: readonly PlacedPost[]): SeedProblem[] {
  const names = new Set((seed.communities ?? []).map(({ id }) => id))
  const byName = new Map(posts.map(({ post }) => [post.id, post]))
  return (seed.posts ?? []).flatMap(({ community, share_with_followers, reply_to }, index) => {
    const at = (member: string) => pointerOf('posts', index, member)
    if (community === undefined)
      return share_with_followers && reply_to === undefined
        ? [{ pointer: at('share_with_followers'), what: 'needs `community`' }]
        : []
    if (!names.has(community))
      return [
        { pointer: at('community'), what: `there is no community with the id "${community}" in this file` },
      ]
    const target = reply_to === undefined ? undefined : byName.get(reply_to)
    return target?.community === undefined || target.community === community
      ? []
      : [{ pointer: at('community'), what: `the post "${reply_to}" is in another community` }]
  })
}
