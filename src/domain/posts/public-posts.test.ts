import assert from 'node:assert/strict'
import { test } from 'node:test'
// Declares every query of the program.
import '../../app/cli/posts.ts'
import '../../app/server.ts'
import { sql } from 'kysely'
import { adHocQuery } from '../../app/tables.ts'
import { allQueries } from '../../platform/storage/query.ts'
import { isOpen, isPublicPost } from './public-sql.ts'

/** Queries that read posts without the condition of public posts, each with the reason. */
const REASONS: readonly (readonly [queries: RegExp, reason: string])[] = [
  [/^(postsSeenBy|newestVersionsSeenBy)$/, 'returns what decides who sees each post'],
  [
    /^(homeHeads|listHeads|mentionsOfUser|postsOfAuthors|postsOfUser|quotesOf|repostsOf|repostsOfUser)_/,
    'ids, of which a caller sees those that `postsSeenBy` shows',
  ],
  [/^newestPosts$/, 'ids of posts that the viewer sees: the author is the viewer, followed or not protected'],
  [/^timeline_|^postsByName$/, 'the posts of a user, for accounts that may promote everything by this user'],
  [/^(samePost|repostBy|nullcastRepost|repostsAmong)$/, 'whether the author has already published a post'],
  [/^(versionsOf|firstVersions|lockPost|postOfCard|takenPostIds|repostedAmong)$/, 'whether a post exists'],
  [/^postsByIds$/, 'posts that the caller is known to see'],
  [
    /^(heldLineItems|campaignsWithServing|heldOfCampaigns|fundedCampaignOfLineItem|line_items_shown|deliveredPosts)$/,
    'whether posts that an account promotes may be shown',
  ],
  [
    /^(postIdsByVisibility|postIdsOfAuthor|postIdsOfReposts)$/,
    'ids of posts that are read again with the condition',
  ],
  [
    /^(postsReferredTo|countReferencesOfMany|lockPostsOfImport|noteRaisedPostCounts|raisePostCounts)$/,
    'posts that an import of the operator refers to',
  ],
  [/^postsOfCommunity_/, 'ids of posts that are indexed with the condition, or that the operator looks at'],
  [
    /^(postsOfConversation|newestPostsOfAuthors|placedPosts)$/,
    'posts that the operator looks at, exports or changes',
  ],
  [/^compliance(Posts|Quotes)$/, 'ids of posts that must be removed, and not what they say'],
  [
    /^(ledgerOfPosts$|addRaisedHours_|addHoursOf_post|addTotalsOf_post|addImpressionsOfPosts|viewedPosts)/,
    'counts of posts that were shown, which their author alone reads',
  ],
  [/^checked/, 'rows that the operator compares with what is derived from them'],
  [/^knownForPosts$/, 'which ids are posts of the own user of an account'],
  [/^(somePostsOf|removePostRows)$/, 'posts of a deleted user, which are removed'],
  [/^repostsOfPost$/, 'reposts that are deleted with their post'],
  [/^referencesOfPosts$/, 'the users whom an activity is about; who sees it is decided for each'],
]

const PUBLIC = /public_\w+$/

/** The name of each table of posts in a query. */
const postsIn = (text: string): string[] =>
  [...text.matchAll(/(?:from|join) "?posts"?(?: as "?(\w+)"?)?/g)].map(([, alias]) => alias ?? 'posts')

const authorsIn = (text: string): string[] =>
  [...text.matchAll(/join "?users"?(?: as "?(\w+)"?)?/g)].map(([, alias]) => alias ?? 'users')

const flat = (text: string) => text.replace(/\s+/g, ' ')
const textOf = (condition: ReturnType<typeof isPublicPost>) =>
  flat(
    adHocQuery('condition', (db) => ({ compile: () => sql`${condition}`.compile(db) })).compile('sqlite').sql,
  )

/** Whether a query reads posts of a table only if they are public, or returns whether they are. */
const isConditional = (text: string, posts: string): boolean =>
  PUBLIC.test(posts) ||
  text.includes(textOf(isPublicPost(`${posts}.id`))) ||
  authorsIn(text).some((authors) => text.includes(textOf(isOpen({ posts, authors }))))

/** The names of the tables of posts that a query reads without the condition. */
function unconditional(query: (typeof allQueries)[number]): string[] {
  const text = flat(query.compile(query.only ?? 'sqlite').sql)
  return [...new Set(postsIn(text))].filter((posts) => !isConditional(text, posts))
}

const readers = allQueries.filter((query) => unconditional(query).length > 0).map(({ name }) => name)

test('every query that reads posts has the condition of public posts, or a reason not to', () => {
  assert.deepEqual(
    readers.filter((name) => !REASONS.some(([queries]) => queries.test(name))),
    [],
  )
})

test('every reason is needed', () => {
  const needless = REASONS.filter(([queries]) => !readers.some((name) => queries.test(name)))
  assert.deepEqual(needless, [])
})

test('a query without the condition is noticed, whatever it calls the posts', () => {
  const of = (text: string) =>
    unconditional(adHocQuery('reader', (db) => ({ compile: () => sql.raw(text).compile(db) })))
  assert.deepEqual(of('select text from posts where lang = 1'), ['posts'])
  assert.deepEqual(of('select text from users join posts as told on told.author_id = users.id'), ['told'])
  const condition = textOf(isPublicPost('told.id'))
  assert.deepEqual(of(`select text from posts as told where ${condition}`), [])
})
