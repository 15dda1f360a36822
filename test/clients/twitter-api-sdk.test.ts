import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { auth, Client as Sdk } from 'twitter-api-sdk'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { CLIENT_WORDS } from '../support/client-words.ts'
import { localAgent } from '../support/local-agent.ts'
import { startPlaza } from '../support/plaza.ts'
import { until } from '../support/until.ts'
import { Visitor } from '../support/visitor.ts'

/** The words that the client speaks where Plaza is neutral. */
const VOCABULARY = {
  words: CLIENT_WORDS,
}
const CALLBACK = 'http://127.0.0.1:3000/callback'
/** Searches end some seconds ago unless they name a later end. */
const NO_LATER = '9223372036854775807'

describe('twitter-api-sdk, unmodified: it sends the parameters of the token endpoint in the query', () => {
  let folder: string
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let agent: Agent
  let browser: Client
  let app: NonNullable<typeof plaza.seeded>['apps'][number]
  let user: { id: string; screenName: string; password: string }
  let other: { id: string }
  let bearer: Sdk

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-client-'))
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify(VOCABULARY))
    // The client has the hosts of the API and of the page built in.
    const page = new URL(signIn().generateAuthURL({ state: 'any', code_challenge_method: 's256' })).origin
    const host = `api.${new URL(page).hostname}`
    plaza = await startPlaza(
      { vocabulary, coreUrl: `https://${host}`, coreAliases: [page], rateLimits: 'off' },
      { clock: systemClock, backgroundTasks: true },
    )
    const port = plaza.listening.core
    agent = localAgent({ ca: plaza.caPem as string, host, port })
    browser = new Client(plaza, { host, port })
    assert.ok(plaza.seeded?.apps[0] && plaza.seeded.users[0] && plaza.seeded.users[1])
    app = plaza.seeded.apps[0]
    user = plaza.seeded.users[0]
    other = plaza.seeded.users[1]
    const token = await browser.bearer({ consumerKey: app.consumerKey, consumerSecret: app.consumerSecret })
    bearer = new Sdk(new auth.OAuth2Bearer(token), { agent })
  })
  after(async () => {
    agent.destroy()
    await browser.close()
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  })

  function signIn() {
    return new auth.OAuth2User({
      client_id: app?.clientId ?? 'any',
      ...(app?.clientSecret && { client_secret: app.clientSecret }),
      callback: CALLBACK,
      scopes: [
        'tweet.read',
        'tweet.write',
        'users.read',
        'like.read',
        'like.write',
        'follows.read',
        'follows.write',
        'bookmark.read',
        'bookmark.write',
        'list.read',
        'list.write',
        'offline.access',
      ],
      request_options: { agent },
    })
  }

  async function signedIn() {
    const user2 = signIn()
    const url = user2.generateAuthURL({ state: 'a state', code_challenge_method: 's256' })
    const page = url.replace(new URL(url).origin, plaza.urls.core)
    const answer = await new Visitor(browser).answer(page, user, 'approve')
    const { token } = await user2.requestAccessToken(
      new URL(answer.headers.location ?? '').searchParams.get('code') ?? '',
    )
    return { user2, token, sdk: new Sdk(user2, { agent }) }
  }

  test('signs a user in, renews the tokens and revokes them', async () => {
    const { user2, token, sdk } = await signedIn()
    assert.equal(token.token_type, 'bearer')
    assert.equal((await sdk.users.findMyUser()).data?.username, user.screenName)
    const renewed = await user2.refreshAccessToken()
    assert.notEqual(renewed.token.access_token, token.access_token)
    assert.equal((await sdk.users.findMyUser()).data?.id, user.id)
    assert.deepEqual(await user2.revokeAccessToken(), { revoked: true })
  })

  test('publishes, finds, likes and deletes posts; follows users', async () => {
    const { sdk } = await signedIn()
    const { data: post } = await sdk.tweets.createTweet({ text: 'A post' })
    assert.ok(post)
    const reply = { in_reply_to_tweet_id: post.id }
    await sdk.tweets.createTweet({ text: 'A reply', reply })
    const found = await sdk.tweets.findTweetById(post.id, {
      'tweet.fields': ['public_metrics'],
      expansions: ['author_id'],
    })
    assert.equal(found.data?.public_metrics?.reply_count, 1)
    assert.equal(found.includes?.users?.[0]?.username, user.screenName)
    assert.deepEqual(await sdk.tweets.usersIdLike(user.id, { tweet_id: post.id }), { data: { liked: true } })
    assert.equal((await sdk.tweets.usersIdLikedTweets(user.id, { max_results: 5 })).data?.[0]?.id, post.id)
    assert.deepEqual(await sdk.users.usersIdFollow(user.id, { target_user_id: other.id }), {
      data: { following: true, pending_follow: false },
    })
    assert.equal((await bearer.users.usersIdFollowers(other.id)).data?.[0]?.id, user.id)
    assert.deepEqual(await sdk.tweets.deleteTweetById(post.id), { data: { deleted: true } })
    await assert.rejects(sdk.tweets.createTweet({ text: '' }), { status: 400 })
  })

  test('pages through timelines and searches, and reads the stream', async () => {
    const { sdk } = await signedIn()
    const ids: string[] = []
    for (let index = 0; index < 12; index++)
      ids.unshift((await sdk.tweets.createTweet({ text: `A quokka, ${index}` })).data?.id ?? '')
    const timeline = bearer.tweets.usersIdTweets(user.id, { max_results: 5, since_id: ids[11] as string })
    const seen: string[] = []
    for await (const { data = [] } of timeline) seen.push(...data.map(({ id }) => id))
    assert.deepEqual(seen, ids.slice(0, 11))
    const search = { query: 'quokka', max_results: 10, until_id: NO_LATER }
    await until('the posts are found', async () => {
      const pages: number[] = []
      for await (const { meta } of bearer.tweets.tweetsRecentSearch(search))
        pages.push(meta?.result_count ?? 0)
      return pages.length === 2 && pages[0] === 10 && pages[1] === 2
    })
    const rules = await bearer.tweets.addOrDeleteRules({ add: [{ value: 'wombat', tag: 'pets' }] })
    assert.equal(rules.data?.[0]?.tag, 'pets')
    const stream = bearer.tweets.searchStream()[Symbol.asyncIterator]()
    const next = stream.next()
    await until('the stream is open', async () => {
      const open = await browser.send('GET', '/2/connections', { headers: { authorization: await header() } })
      return (open.json as { data?: unknown[] }).data?.length === 1
    })
    const { data: post } = await sdk.tweets.createTweet({ text: 'A wombat' })
    const item = (await next).value as { data: { id: string }; matching_rules: { tag: string }[] }
    assert.deepEqual([item.data.id, item.matching_rules[0]?.tag], [post?.id, 'pets'])
    await stream.return?.(undefined as never)
  })

  test('keeps lists: changes, members, follows, pins and their posts', async () => {
    const { sdk } = await signedIn()
    const id = (await sdk.lists.listIdCreate({ name: 'Council', private: false })).data?.id ?? ''
    assert.deepEqual(await sdk.lists.listIdUpdate(id, { description: 'Who decides' }), {
      data: { updated: true },
    })
    for (const user_id of [user.id, other.id])
      assert.deepEqual(await sdk.lists.listAddMember(id, { user_id }), { data: { is_member: true } })
    assert.deepEqual(await sdk.lists.listUserFollow(user.id, { list_id: id }), { data: { following: true } })
    assert.deepEqual(await sdk.lists.listUserPin(user.id, { list_id: id }), { data: { pinned: true } })
    const { data: list } = await bearer.lists.listIdGet(id, {
      'list.fields': ['description', 'member_count'],
    })
    assert.deepEqual(list, { id, name: 'Council', description: 'Who decides', member_count: 2 })
    const members: string[] = []
    for await (const { data = [] } of bearer.users.listGetMembers(id, { max_results: 1 }))
      members.push(...data.map((member) => member.id))
    assert.deepEqual(members, [other.id, user.id])
    assert.equal((await bearer.users.listGetFollowers(id)).data?.[0]?.id, user.id)
    const { data: post } = await sdk.tweets.createTweet({ text: 'Of a member' })
    assert.equal((await bearer.tweets.listsIdTweets(id, { max_results: 5 })).data?.[0]?.id, post?.id)
    for (const lists of [
      await sdk.lists.listUserOwnedLists(user.id),
      await sdk.lists.userFollowedLists(user.id),
      await sdk.lists.listUserPinnedLists(user.id),
      await sdk.lists.getUserListMemberships(other.id),
    ])
      assert.equal(lists.data?.[0]?.id, id)
    assert.deepEqual(await sdk.lists.listUserUnpin(user.id, id), { data: { pinned: false } })
    assert.deepEqual(await sdk.lists.listUserUnfollow(user.id, id), { data: { following: false } })
    assert.deepEqual(await sdk.lists.listRemoveMember(id, other.id), { data: { is_member: false } })
    assert.deepEqual(await sdk.lists.listIdDelete(id), { data: { deleted: true } })
  })

  const header = async () =>
    `Bearer ${await browser.bearer({ consumerKey: app.consumerKey, consumerSecret: app.consumerSecret })}`
})
