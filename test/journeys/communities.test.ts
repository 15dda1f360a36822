import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { query } from '../../src/app/tables.ts'
import { addCommunityMembers } from '../../src/domain/communities/queries.ts'
import { addUsers } from '../../src/identity/users/queries.ts'
import { type Body, idsIn, okay, pagesOf, publish, react, read, relate } from '../support/actions.ts'
import { Admin } from '../support/admin.ts'
import { Client, type Reply } from '../support/client.ts'
import { makeCommunity } from '../support/communities.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

const SEARCH = '/2/communities/search'
const NOT_MEMBER = 'Only members of a community may write posts in it.'

const breakCounts = query<{ id: string }>('breakCountsOfCommunity', (db, at) =>
  db.updateTable('communities').set({ member_count: 77 }).where('id', '=', at.id),
)
const breakTerms = query<{ id: string }>('breakTermsOfCommunity', (db, at) =>
  db.deleteFrom('community_search_terms').where('community_id', '=', at.id),
)

/** What a reader of a post in a community may be. */
const READERS = ['author', 'member', 'outsider', 'app'] as const
type ReaderKind = (typeof READERS)[number]

for (const stage of stages) {
  describe(`communities on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let bearer: string
    let author: Person
    let member: Person
    let outsider: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      ;[author, member, outsider] = [await join(), await join(), await join()]
      bearer = await client.bearer(author.keys)
      await relate(outsider, 'following', author)
      await relate(member, 'following', author)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const join = () => Person.join(opened.plaza, client)
    const make = (more: Parameters<typeof makeCommunity>[1] = {}) => makeCommunity(opened.plaza.context, more)
    const app = (path: string): Promise<Reply> =>
      client.send('GET', path, { headers: { authorization: `Bearer ${bearer}` } })
    const as = async (who: ReaderKind, path: string): Promise<Body> =>
      okay(await (who === 'app' ? app(path) : { author, member, outsider }[who].core('GET', path)))
    const search = async (words: string, who = member): Promise<string[]> =>
      idsIn(await read(who, `${SEARCH}?query=${encodeURIComponent(words)}`))
    const detail = ({ status, json }: Reply) => [status, (json as { detail?: string }).detail]

    test('names, beginnings, words of names and of descriptions, each with the most members first', async () => {
      const described = await make({ name: 'Stripes', description: 'For the zebra in you, and quaggas' })
      const word = await make({ name: 'The Zébra club' })
      const small = await make({ name: 'Zebra clubs' })
      const big = await make({ name: 'zebra clubs of the north', members: [author.id, member.id] })
      const exact = await make({ name: 'ZEBRA', description: 'zebra' })
      assert.deepEqual(await search('zebra'), [exact, big, small, word, described])
      assert.deepEqual(await search(' Zebra  clubs'), [small, big])
      assert.deepEqual(await search('club zebra'), [word])
      assert.deepEqual(await search('quaggas you'), [described])
      assert.deepEqual(await search('quagga'), [])
      assert.deepEqual(await search('zebra quaggas north'), [])
      const strange = await make({ name: '\u{1F41D} 蜂の会', access: 'Closed' })
      for (const words of ['\u{1F41D}', '\u{1F41D} 蜂', '蜂の会'])
        assert.deepEqual(await search(words), [strange], words)
      assert.deepEqual(await search('!?'), [])
      await admin.call('PUT', `/communities/${small}/members/${author.screenName}`)
      await admin.call('PUT', `/communities/${small}/members/${member.id}`)
      await admin.call('PUT', `/communities/${small}/members/${outsider.id}`)
      assert.deepEqual(await search('zebra'), [exact, small, big, word, described])
      await admin.call('PUT', `/communities/${word}`, { name: 'Okapi club', description: 'Once a zebra' })
      assert.deepEqual(await search('zebra'), [exact, small, big, word, described])
      assert.deepEqual(await search('okapi'), [word])
      for (const id of [described, word, small, big, exact]) await admin.call('DELETE', `/communities/${id}`)
      assert.deepEqual(await search('zebra'), [])
    })

    test('pages of a search have each community once, in order, while others come and go', async () => {
      const ids: string[] = []
      for (let n = 0; n < 35; n++) {
        const name = ['Lynx', 'Lynx watchers', 'A lynx', 'Cats'][n % 4] ?? ''
        ids.push(
          await make({ name, description: 'lynx and other cats', members: n % 3 === 0 ? [author.id] : [] }),
        )
      }
      const all = (await pagesOf(member, `${SEARCH}?query=lynx&max_results=100`)).flat()
      assert.equal(new Set(all).size, ids.length)
      const pages = await pagesOf(member, `${SEARCH}?query=lynx&max_results=10`)
      assert.deepEqual([pages.flat(), pages.map((page) => page.length)], [all, [10, 10, 10, 5]])
      const first = await read(member, `${SEARCH}?query=lynx`)
      assert.equal(first.data?.length, 10)
      // New ones before the page, and one after it that goes.
      await make({ name: 'Lynx', members: [author.id, member.id] })
      await admin.call('DELETE', `/communities/${all[12]}`)
      const token = first.meta?.next_token
      const second = await read(member, `${SEARCH}?query=lynx&next_token=${token}&pagination_token=${token}`)
      assert.deepEqual(
        idsIn(second),
        all.slice(10, 21).filter((id) => id !== all[12]),
      )
      const back = await read(member, `${SEARCH}?query=lynx&pagination_token=${second.meta?.previous_token}`)
      assert.deepEqual(idsIn(back), all.slice(0, 10))
      const other = await member.core(
        'GET',
        `${SEARCH}?query=lynx&next_token=${token}&pagination_token=${token?.slice(0, -1)}0`,
      )
      assert.equal(other.status, 400, other.text)
    })

    test('only members write in a community, and replies to its posts', async () => {
      const id = await make({ members: [author.id] })
      const write = (who: Person, more: object) =>
        who.core('POST', '/2/posts', { text: `In it ${Math.random()}`, ...more })
      const base64 = Buffer.from(`Community:${id}`).toString('base64')
      for (const community_id of [id, base64])
        assert.deepEqual(detail(await write(outsider, { community_id })), [403, NOT_MEMBER])
      const post = await publish(author, { community_id: base64 })
      const fields = 'post.fields=community_id,scopes'
      const shown = await read(outsider, `/2/posts/${post}?${fields}`)
      assert.deepEqual([shown.data?.community_id, shown.data?.scopes], [id, { followers: false }])
      const reply = { reply: { in_reply_to_post_id: post } }
      assert.deepEqual(detail(await write(outsider, reply)), [403, NOT_MEMBER])
      await admin.call('PUT', `/communities/${id}/members/${outsider.id}`)
      const answer = await publish(outsider, reply)
      assert.equal((await read(member, `/2/posts/${answer}?${fields}`)).data?.community_id, id)
      await admin.call('DELETE', `/communities/${id}/members/${outsider.id}`)
      assert.deepEqual(detail(await write(outsider, { community_id: id })), [403, NOT_MEMBER])
      const elsewhere = await make({ members: [author.id] })
      for (const [community_id, more, says] of [
        ['456', {}, 'Your community ID is invalid.'],
        [elsewhere, reply, 'A reply belongs to the community of the post that it replies to.'],
      ] as const) {
        const refused = await write(author, { community_id, ...more })
        const { errors } = refused.json as unknown as { errors: { message: string; parameters: object }[] }
        assert.deepEqual(
          [refused.status, errors],
          [400, [{ parameters: { community_id: [community_id] }, message: says }]],
        )
      }
      const posts = await admin.all<{ id: string; community_id: string }>(`/communities/${id}/posts`)
      assert.deepEqual(
        posts.map((one) => [one.id, one.community_id]),
        [
          [answer, id],
          [post, id],
        ],
      )
      const shared = { author: member.screenName, text: 'Not in it', community_id: id }
      assert.deepEqual(await admin.wrong('POST', '/posts', shared), [
        400,
        `@${member.screenName} is no member of the community.`,
      ])
      assert.equal((await admin.call('POST', '/posts', { ...shared, author: author.id })).community_id, id)
      // In a community that is gone nobody is a member.
      await admin.call('DELETE', `/communities/${id}`)
      assert.equal((await read(author, `/2/posts/${post}`)).data?.id, post)
      for (const who of [outsider, member])
        assert.equal((await read(who, `/2/posts/${post}`)).errors?.[0]?.title, 'Authorization Error')
      await publish(author, reply)
    })

    /** Which readers see a post in each of the places where posts are shown. */
    const views = async (post: string, quote: string, liker: Person) => {
      const places: Record<string, (who: ReaderKind) => Promise<boolean>> = {
        lookup: async (who) => (await as(who, `/2/posts/${post}`)).data !== undefined,
        lookups: async (who) => idsIn(await as(who, `/2/posts?ids=${post}`)).includes(post),
        expansion: async (who) =>
          JSON.stringify(
            (await as(who, `/2/posts/${quote}?expansions=referenced_posts.id`)).includes ?? {},
          ).includes(post),
        posts: async (who) => idsIn(await as(who, `/2/users/${author.id}/posts`)).includes(post),
        likes: async (who) => idsIn(await as(who, `/2/users/${liker.id}/liked_posts`)).includes(post),
        likers: async (who) => (await as(who, `/2/posts/${post}/liking_users`)).errors === undefined,
        quotes: async (who) => (await as(who, `/2/posts/${post}/quote_posts`)).errors === undefined,
        newest: async (who) =>
          (await as(who, `/2/users/${author.id}?user.fields=most_recent_post_id`)).data
            ?.most_recent_post_id === post,
        search: async () =>
          idsIn(await as('app', `/2/posts/search/recent?query=from:${author.screenName}`)).includes(post),
      }
      const seen: Record<string, ReaderKind[]> = {}
      for (const [place, sees] of Object.entries(places)) {
        seen[place] = []
        for (const who of READERS) if (await sees(who)) seen[place].push(who)
      }
      return seen
    }
    const everywhere = (all: ReaderKind[], search: ReaderKind[] = []) => ({
      ...{ lookup: all, lookups: all, expansion: all, posts: all, likes: all, likers: all, quotes: all },
      ...{ newest: all, search },
    })
    const home = async (who: Person) =>
      idsIn(await read(who, `/2/users/${who.id}/timelines/reverse_chronological`))
    const ALL = [...READERS]

    test('everyone reads the posts of a public community, and only members those of a closed one', async () => {
      const id = await make({ members: [author.id, member.id] })
      const post = await publish(author, { community_id: id })
      const quote = await publish(member, { quote_post_id: post })
      await react(member, 'likes', post)
      const settled = async (found: boolean) => {
        await admin.call('POST', '/clock/advance', { by: '60s', timeout_seconds: 1 })
        const path = `/2/posts/search/recent?query=from:${author.screenName}`
        await until(`found: ${found}`, async () => idsIn(await as('app', path)).includes(post) === found)
      }
      await settled(true)
      assert.deepEqual(await views(post, quote, member), everywhere(ALL, ALL))
      // It was not shared with followers.
      assert.deepEqual(
        [(await home(member)).includes(post), (await home(outsider)).includes(post)],
        [true, false],
      )
      await admin.call('PUT', `/communities/${id}`, { access: 'Closed' })
      await settled(false)
      assert.deepEqual(await views(post, quote, member), everywhere(['author', 'member']))
      assert.deepEqual(
        [(await home(member)).includes(post), (await home(outsider)).includes(post)],
        [true, false],
      )
      await admin.call('DELETE', `/communities/${id}/members/${member.id}`)
      assert.deepEqual(await views(post, quote, member), everywhere(['author']))
      await admin.call('PUT', `/communities/${id}/members/${member.id}`)
      const shared = await publish(author, { community_id: id, share_with_followers: true })
      assert.ok((await home(outsider)).includes(shared))
      for (const who of READERS) assert.notEqual((await as(who, `/2/posts/${shared}`)).data, undefined, who)
      await admin.call('PUT', `/communities/${id}`, { access: 'Public' })
      await settled(true)
    })

    test('streams send the posts of public communities only', async () => {
      const open = await make({ members: [author.id] })
      const closed = await make({ access: 'Closed', members: [author.id] })
      const rules = '/2/posts/search/stream/rules'
      const headers = { authorization: `Bearer ${bearer}` }
      const added = await client.send('POST', rules, { headers, json: { add: [{ value: 'ocelot' }] } })
      assert.equal(added.status, 201, added.text)
      const partitions = Array.from({ length: 20 }, (_, n) =>
        StreamReader.open(opened.plaza, bearer, `?partition=${n + 1}`, '/2/posts/firehose/stream'),
      )
      const readers = await Promise.all([StreamReader.open(opened.plaza, bearer), ...partitions])
      assert.ok(readers.every(({ status }) => status === 200))
      try {
        const texts = [closed, open].map((community_id) => ({
          community_id,
          text: `An ocelot ${community_id}`,
        }))
        for (const one of texts) await publish(author, one)
        await publish(author, { text: 'The last ocelot' })
        const seen = ['The last ocelot', texts[1]?.text]
        const got = () => {
          const [filtered = [], ...rest] = readers.map(({ items }) => items.map(({ data }) => data?.text))
          return [filtered, rest.flat()].map((found) => found.toSorted())
        }
        await until('both streams have the posts', () => got().every((found) => found.length >= seen.length))
        assert.deepEqual(got(), [seen.toSorted(), seen.toSorted()])
      } finally {
        for (const reader of readers) reader.close()
      }
    })

    test('the admin API makes, changes and lists communities, and names what is wrong', async () => {
      const people = [author.screenName, `@${member.screenName}`, author.id]
      const made = await admin.call('POST', '/communities', { name: 'Herons', members: people })
      assert.deepEqual(
        { ...made, id: '', created_at: '' },
        {
          id: '',
          name: 'Herons',
          description: '',
          access: 'Public',
          join_policy: 'Open',
          member_count: 2,
          created_at: '',
        },
      )
      const path = `/communities/${made.id}`
      const changed = await admin.call('PUT', path, { access: 'Closed', join_policy: 'SuperFollowRequired' })
      assert.deepEqual(await admin.call('GET', path), changed)
      const members = await admin.all<{ id: string }>(`${path}/members`)
      assert.deepEqual(
        members.map(({ id }) => id),
        [member.id, author.id],
      )
      assert.equal((await admin.all<{ id: string }>('/communities'))[0]?.id, made.id)
      assert.deepEqual((await admin.all(`/users/${member.screenName}/communities`))[0], changed)
      const named = { name: 'With an id', id: '77' }
      const racing = await Promise.all([1, 2, 3].map(() => admin.send('POST', '/communities', named)))
      assert.deepEqual(racing.map(({ status }) => status).toSorted(), [201, 400, 400])
      assert.deepEqual(await admin.wrong('POST', '/communities', named), [
        400,
        'There is or was a community 77.',
      ])
      assert.deepEqual(await admin.wrong('POST', '/communities', { name: 'X', members: ['nobody'] }), [
        400,
        'There is no user nobody.',
      ])
      assert.deepEqual(await admin.wrong('PUT', path, { name: ' ' }), [
        400,
        '`name` must have a visible character.',
      ])
      for (const [method, tail] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['GET', '/members'],
        ['GET', '/posts'],
        ['PUT', `/members/${author.id}`],
        ['DELETE', `/members/${author.id}`],
      ] as const)
        assert.deepEqual(
          await admin.wrong(
            method,
            `/communities/456${tail}`,
            method === 'PUT' && tail === '' ? {} : undefined,
          ),
          [404, 'There is no community 456.'],
        )
    })

    test('a seed exports communities with members and posts, and not what would then be public', async () => {
      const { id: userId } = await admin.call('POST', '/users', {
        ...{ screen_name: 'exporter', name: 'Exporter', password: 'secret' },
      })
      const communityId = await make({ name: 'To export', access: 'Closed', members: ['exporter'] })
      const authorId = String(userId)
      await makePost(opened.plaza.context, { authorId, text: 'Exported in it', communityId })
      await makePost(opened.plaza.context, { authorId, text: 'Of no community', communityId: '999' })
      const { communities, posts } = await admin.call<{
        communities: { id: string; name: string; members: string[] }[]
        posts: { text: string; community?: string }[]
      }>('GET', '/seed')
      const exported = communities.find(({ name }) => name === 'To export')
      assert.deepEqual(
        { ...exported, id: '', created_at: '' },
        { id: '', name: 'To export', access: 'Closed', created_at: '', members: ['exporter'] },
      )
      const texts = posts.flatMap(({ text, community }) => (community === exported?.id ? [text] : []))
      assert.deepEqual(texts, ['Exported in it'])
      assert.equal(
        posts.find(({ text }) => text === 'Of no community'),
        undefined,
      )
    })

    test('a community with thousands of members is deleted at once, and they go in parts', async () => {
      const { store, ids, clock } = opened.plaza.context
      const id = await make({ id: '4242', members: [author.id] })
      await store.write(async (tx) => {
        const users = Array.from({ length: 1_200 }, () => ids.next()).map((userId) => ({
          ...{ id: userId, screen_name: userId.slice(4), screen_name_key: userId.slice(4), name: 'M' },
          ...{ password_hash: 'none', suspended: 0, created_at: clock.now(), location: '', description: '' },
          ...{ description_entities: null, followers_count: 0, following_count: 0, post_count: 0 },
          ...{ listed_count: 0, like_count: 0 },
        }))
        await addUsers(tx, users)
        await addCommunityMembers(
          tx,
          users.map((user) => ({ community_id: id, user_id: user.id, id: ids.next() })),
        )
      })
      const differences: Difference[] = []
      const check = async (repair: boolean) => {
        differences.length = 0
        const options = { repair, found: (one: Difference) => differences.push(one) }
        for await (const _ of compareAll(store, comparisons, options));
        return differences.filter(({ of }) => of.startsWith('community')).map(({ name }) => name)
      }
      await store.write((tx) => tx.run(breakCounts, { id }))
      await store.write((tx) => tx.run(breakTerms, { id }))
      assert.deepEqual(await check(true), ['member_count', 'search_terms'])
      assert.deepEqual(await check(false), [])
      assert.equal((await admin.call('GET', `/communities/${id}`)).member_count, 1_201)
      await admin.call('DELETE', `/communities/${id}`)
      assert.equal((await admin.wrong('POST', '/communities', { name: 'Again', id }))[0], 400)
      const communitiesOf = async (who: Person) =>
        (await admin.all<{ id: string }>(`/users/${who.id}/communities`)).map((one) => one.id)
      const newcomer = await join()
      const kept = [await make({ members: [newcomer.id] }), await make({ members: [newcomer.id] })]
      const gone = await make({ members: [newcomer.id] })
      const newest = await make({ members: [newcomer.id] })
      await admin.call('DELETE', `/communities/${gone}`)
      assert.deepEqual(await communitiesOf(newcomer), [newest, ...kept.toReversed()], 'no page ends early')
      await opened.plaza.tasks.runDue('remove members of community')
      assert.ok(!(await communitiesOf(author)).includes(id))
      assert.equal((await admin.call('POST', '/communities', { name: 'Again', id })).member_count, 0)
      // The members of another one with its id stay.
      await admin.call('DELETE', `/communities/${id}`)
      await admin.call('POST', '/communities', { name: 'Once more', id, members: [newcomer.id] })
      await opened.plaza.tasks.runDue('remove members of community')
      assert.equal((await communitiesOf(newcomer))[0], id)
    })
  })
}
