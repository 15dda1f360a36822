import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import type { Context } from '../../src/app/start/context.ts'
import { query } from '../../src/app/tables.ts'
import { createList, MAX_LISTS, MAX_MEMBERS } from '../../src/domain/lists/lists.ts'
import { addListRelations } from '../../src/domain/lists/queries.ts'
import { addUsers } from '../../src/identity/users/queries.ts'
import {
  change,
  countsOfUser,
  edit,
  idsIn,
  okay,
  pagesOf,
  publish,
  react,
  read,
  relate,
  suspend,
} from '../support/actions.ts'
import { Admin } from '../support/admin.ts'
import { Client, type Reply } from '../support/client.ts'
import { makeList } from '../support/lists.ts'
import { Person } from '../support/person.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const setMemberCount = query<{ list: string; count: number }>('setMemberCount', (db, at) =>
  db.updateTable('lists').set({ member_count: at.count }).where('id', '=', at.list),
)

/** Fills a list with as many members as it may have. They cannot sign in. */
async function fill({ store, ids, clock }: Context, list: string): Promise<string[]> {
  const empty = { followers_count: 0, following_count: 0, post_count: 0, like_count: 0 }
  const members = Array.from({ length: MAX_MEMBERS }, () => ids.next())
  await store.write(async (tx) => {
    const users = members.map((id) => ({
      ...{ id, screen_name: id.slice(4), screen_name_key: id.slice(4), name: 'Member' },
      ...{ password_hash: 'none', suspended: 0, created_at: clock.now() },
      ...{ description: '', description_entities: null, location: '', listed_count: 1, ...empty },
    }))
    await addUsers(tx, users)
    const relations = members.map((user_id) => ({ list_id: list, user_id, kind: 'member', id: ids.next() }))
    await addListRelations(tx, relations)
    await tx.run(setMemberCount, { list, count: MAX_MEMBERS })
  })
  return members
}

/** How a caller sees a list: the ids of each read, or `missing`. */
type View = Record<string, string[] | 'missing'>

for (const stage of stages) {
  describe(`lists on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let bearer: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true, backgroundTasks: true })
      client = new Client(opened.plaza)
      bearer = await client.bearer((await join()).keys)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const join = (access?: 'read') => Person.join(opened.plaza, client, access)
    const app = (method: string, path: string): Promise<Reply> =>
      client.send(method, path, { headers: { authorization: `Bearer ${bearer}` } })
    const make = async (who: Person, json: object = {}): Promise<string> => {
      const reply = await who.core('POST', '/2/lists', { name: 'A list', ...json })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }
    const add = async (owner: Person, list: string, member: Person) => {
      const reply = await owner.core('POST', `/2/lists/${list}/members`, { user_id: member.id })
      assert.deepEqual([reply.status, reply.json], [200, { data: { is_member: true } }])
    }
    const follow = (who: Person, list: string) =>
      who.core('POST', `/2/users/${who.id}/followed_lists`, { list_id: list })
    const pin = (who: Person, list: string) =>
      who.core('POST', `/2/users/${who.id}/pinned_lists`, { list_id: list })
    const refused = (reply: Reply) => [reply.status, (reply.json as { detail: string }).detail]
    const count = async (who: Person) => (await countsOfUser(who)).listed_count

    test('the life of a list: created private, filled, pinned, read, emptied, unpinned, changed, deleted', async () => {
      const [ada, bob] = [await join(), await join()]
      const created = await ada.core('POST', '/2/lists', {
        name: 'cats',
        description: 'of mine',
        private: true,
      })
      const id = (created.json as { data: { id: string } }).data.id
      assert.deepEqual([created.status, created.json], [201, { data: { id, name: 'cats' } }])
      const steps: [method: string, path: string, body: object | undefined, reply: object][] = [
        ['POST', `/2/lists/${id}/members`, { user_id: bob.id }, { data: { is_member: true } }],
        ['POST', `/2/users/${ada.id}/pinned_lists`, { list_id: id }, { data: { pinned: true } }],
        [
          'GET',
          `/2/users/${ada.id}/pinned_lists`,
          undefined,
          { data: [{ id, name: 'cats' }], meta: { result_count: 1 } },
        ],
        [
          'GET',
          `/2/lists/${id}/members`,
          undefined,
          { data: [{ id: bob.id, name: 'Person', username: bob.screenName }], meta: { result_count: 1 } },
        ],
        [
          'GET',
          `/2/users/${ada.id}/owned_lists?list.fields=description,member_count,private`,
          undefined,
          {
            data: [{ id, name: 'cats', description: 'of mine', member_count: 1, private: true }],
            meta: { result_count: 1 },
          },
        ],
        ['DELETE', `/2/lists/${id}/members/${bob.id}`, undefined, { data: { is_member: false } }],
        ['GET', `/2/lists/${id}/members`, undefined, { meta: { result_count: 0 } }],
        ['DELETE', `/2/users/${ada.id}/pinned_lists/${id}`, undefined, { data: { pinned: false } }],
        ['GET', `/2/users/${ada.id}/pinned_lists`, undefined, { meta: { result_count: 0 } }],
        ['PUT', `/2/lists/${id}`, { name: 'dogs', private: false }, { data: { updated: true } }],
        [
          'GET',
          `/2/lists/${id}?list.fields=description,private`,
          undefined,
          { data: { id, name: 'dogs', description: 'of mine', private: false } },
        ],
        ['PUT', `/2/lists/${id}`, {}, { data: { updated: true } }],
        ['DELETE', `/2/lists/${id}`, undefined, { data: { deleted: true } }],
        ['GET', `/2/users/${ada.id}/owned_lists`, undefined, { meta: { result_count: 0 } }],
      ]
      for (const [method, path, body, expected] of steps)
        assert.deepEqual((await ada.core(method, path, body)).json, expected, `${method} ${path}`)
    })

    test('who sees a list: owner, follower, stranger and app, before and after it becomes private', async () => {
      const [owner, follower, stranger, member] = [await join(), await join(), await join(), await join()]
      const list = await make(owner, { name: 'seen' })
      await add(owner, list, member)
      okay(await follow(follower, list))
      okay(await pin(follower, list))
      okay(await pin(owner, list))
      const post = await publish(member, { text: 'gnu of a member' })

      const seen = async (call: (path: string) => Promise<Reply>, self?: Person): Promise<View> => {
        const paths: Record<string, string> = {
          get: `/2/lists/${list}`,
          members: `/2/lists/${list}/members`,
          followers: `/2/lists/${list}/followers`,
          posts: `/2/lists/${list}/posts`,
          owned: `/2/users/${owner.id}/owned_lists`,
          memberships: `/2/users/${member.id}/list_memberships`,
          followed: `/2/users/${follower.id}/followed_lists`,
          ...(self && { pinned: `/2/users/${self.id}/pinned_lists` }),
        }
        const views = Object.entries(paths).map(async ([name, path]) => {
          const { data, errors } = okay(await call(path))
          if (errors?.[0]?.detail === `Could not find list with id: [${list}].`)
            return [name, 'missing'] as const
          assert.equal(errors, undefined)
          return [name, [data ?? []].flat().map(({ id }) => id)] as const
        })
        return Object.fromEntries(await Promise.all(views))
      }
      const as = (who: Person) => seen((path) => who.core('GET', path), who)
      const asApp = () => seen((path) => app('GET', path))

      const open = {
        get: [list],
        members: [member.id],
        followers: [follower.id],
        posts: [post],
        owned: [list],
        memberships: [list],
        followed: [list],
      }
      assert.deepEqual(await as(owner), { ...open, pinned: [list] })
      assert.deepEqual(await as(follower), { ...open, pinned: [list] })
      assert.deepEqual(await as(stranger), { ...open, pinned: [] })
      assert.deepEqual(await as(member), { ...open, pinned: [] })
      assert.deepEqual(await asApp(), open)
      assert.equal(await count(member), 1)

      okay(await owner.core('PUT', `/2/lists/${list}`, { private: true }))
      const hidden = {
        ...{ get: 'missing', members: 'missing', followers: 'missing', posts: 'missing' },
        ...{ owned: [], memberships: [], followed: [] },
      }
      assert.deepEqual(await as(owner), { ...open, followers: [], followed: [], pinned: [list] })
      assert.deepEqual(await as(follower), { ...hidden, pinned: [] })
      assert.deepEqual(await as(stranger), { ...hidden, pinned: [] })
      assert.deepEqual(await as(member), { ...hidden, pinned: [] })
      assert.deepEqual(await asApp(), hidden)
      assert.equal(await count(member), 0)
      for (const reply of [await follow(stranger, list), await pin(stranger, list)])
        assert.equal(okay(reply).errors?.[0]?.detail, `Could not find list with list_id: [${list}].`)
      for (const [method, path, body] of [
        ['PUT', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['POST', '/members', { user_id: stranger.id }],
        ['DELETE', `/members/${member.id}`, undefined],
      ] as const)
        assert.equal(
          okay(await stranger.core(method, `/2/lists/${list}${path}`, body)).errors?.[0]?.detail,
          `Could not find list with id: [${list}].`,
        )

      okay(await owner.core('PUT', `/2/lists/${list}`, { private: false }))
      assert.deepEqual(await as(stranger), { ...open, followers: [], followed: [], pinned: [] })
      assert.equal(await count(member), 1)
      okay(await owner.core('DELETE', `/2/lists/${list}`))
      assert.equal(await count(member), 0)
      assert.deepEqual(await as(member), { ...hidden, pinned: [] })
    })

    test('lists of suspended users do not exist, and their users are left out', async () => {
      const [owner, member, reader] = [await join(), await join(), await join()]
      const list = await make(owner)
      await add(owner, list, member)
      await publish(member)
      await suspend(opened.plaza, member, true)
      assert.deepEqual(idsIn(await read(reader, `/2/lists/${list}/members`)), [])
      assert.deepEqual(idsIn(await read(reader, `/2/lists/${list}/posts`)), [])
      const { errors } = await read(reader, `/2/users/${member.id}/list_memberships`)
      assert.equal(errors?.[0]?.title, 'Forbidden')
      await suspend(opened.plaza, member, false)
      assert.deepEqual(idsIn(await read(reader, `/2/lists/${list}/members`)), [member.id])
      await suspend(opened.plaza, owner, true)
      assert.equal((await read(reader, `/2/lists/${list}`)).errors?.[0]?.title, 'Not Found Error')
      assert.deepEqual(idsIn(await read(reader, `/2/users/${member.id}/list_memberships`)), [])
    })

    test('who can be added: nobody who is suspended, protected, or blocks the owner', async () => {
      const [owner, shy, blocker, gone] = [await join(), await join(), await join(), await join()]
      const list = await make(owner)
      await add(owner, list, gone)
      await change(opened.plaza, shy, { protected: 1 })
      await suspend(opened.plaza, gone, true)
      await relate(blocker, 'blocking', owner)
      const adding = (who: Person) => owner.core('POST', `/2/lists/${list}/members`, { user_id: who.id })
      for (const who of [shy, blocker])
        assert.deepEqual(refused(await adding(who)), [
          403,
          'You are not allowed to add members to this list.',
        ])
      assert.equal((await adding(gone)).status, 200, 'who is a member already stays one')
      okay(await owner.core('DELETE', `/2/lists/${list}/members/${gone.id}`))
      assert.equal((await adding(gone)).status, 403)
      await change(opened.plaza, owner, { protected: 1 })
      await add(owner, list, owner)
      assert.deepEqual(idsIn(await read(owner, `/2/lists/${list}/members`)), [owner.id])
      assert.deepEqual(idsIn(await read(blocker, `/2/users/${owner.id}/owned_lists`)), [list])
    })

    test('posts of a list: replies, reposts and edits of members, for those who may see them', async () => {
      const [owner, ann, ben, shy, friend] = [
        await join(),
        await join(),
        await join(),
        await join(),
        await join(),
      ]
      const list = await make(owner)
      for (const who of [ann, ben, shy]) await add(owner, list, who)
      const other = await publish(owner)
      const first = await publish(ann)
      const reply = await publish(ben, { reply: { in_reply_to_post_id: first } })
      const hidden = await publish(shy)
      await react(ann, 'reposts', other)
      await change(opened.plaza, ben, { subscription_type: 'Premium' })
      const edited = await edit(ben, await publish(ben))
      const deleted = await publish(ann)
      okay(await ann.core('DELETE', `/2/posts/${deleted}`))
      const path = `/2/lists/${list}/posts?expansions=referenced_posts.id`
      const all = await read(owner, path)
      const [newest, repost, ...rest] = idsIn(all)
      assert.deepEqual([newest, ...rest], [edited, hidden, reply, first])
      const referenced = all.data?.find(({ id }) => id === repost)?.referenced_posts
      assert.deepEqual(referenced, [{ type: 'reposted', id: other }])
      assert.ok(all.includes?.posts?.some(({ id }) => id === other))

      await change(opened.plaza, shy, { protected: 1 })
      await relate(friend, 'following', shy)
      assert.ok(!idsIn(await read(friend, path)).includes(hidden), 'the follow is only requested')
      await new Admin(opened.plaza, client).call('POST', `/users/${shy.id}/accept_follow`, {
        follower: friend.id,
      })
      assert.ok(idsIn(await read(friend, path)).includes(hidden))
      assert.ok(idsIn(await read(shy, path)).includes(hidden))
      assert.ok(!idsIn(await read(owner, path)).includes(hidden))
      assert.ok(!idsIn(okay(await app('GET', path))).includes(hidden))
      assert.deepEqual(await pagesOf(owner, `/2/lists/${list}/posts?max_results=3`), [
        [edited, repost, reply],
        [first],
      ])
    })

    test('posts of a list are counted as usage', async () => {
      const [owner, member] = [await join(), await join()]
      const list = await make(owner)
      await add(owner, list, member)
      const usage = async () => {
        const reply = okay(await app('GET', '/2/usage/posts?days=1&usage.fields=project_usage'))
        return Number((reply.data as unknown as { project_usage: string }).project_usage)
      }
      for (let n = 0; n < 3; n++) await publish(member)
      const before = await usage()
      await read(owner, `/2/lists/${list}/posts`)
      assert.equal(await usage(), before + 3)
    })

    test('searches and counts by members of a list, private ones for their owners', async () => {
      const [owner, member, other] = [await join(), await join(), await join()]
      const [open, secret] = [await make(owner), await make(owner, { private: true })]
      await add(owner, open, member)
      await add(owner, secret, other)
      const ofMember = await publish(member, { text: 'a wallaby' })
      const ofOther = await publish(other, { text: 'a wallaby too' })
      const find = async (who: Person, text: string) => {
        const found = await read(
          who,
          `/2/posts/search/recent?query=${encodeURIComponent(text)}&until_id=${2n ** 63n - 1n}`,
        )
        return idsIn(found)
      }
      await until('both are found', async () => (await find(owner, 'wallaby')).length === 2)
      assert.deepEqual(await find(other, `list:${open}`), [ofMember])
      assert.deepEqual(await find(other, `wallaby -list:${open}`), [ofOther])
      assert.deepEqual(await find(owner, `list:${secret}`), [ofOther])
      assert.deepEqual(await find(other, `list:${secret}`), [])
      assert.deepEqual(await find(other, 'list:456'), [])
      const counted = async (who: Person, list: string) => {
        const path = `/2/posts/counts/recent?query=list:${list}&until_id=${2n ** 63n - 1n}`
        const reply = okay(await app('GET', path))
        return [who.id, (reply.meta as unknown as { total_post_count: number }).total_post_count]
      }
      assert.deepEqual(await counted(owner, open), [owner.id, 1])
      assert.deepEqual(await counted(owner, secret), [owner.id, 0])
      assert.equal((await owner.core('GET', `/2/posts/search/recent?query=list:1%20list:2`)).status, 400)
    })

    test('pins: own and followed lists, five at most, in the order in which they were pinned', async () => {
      const [owner, reader] = [await join(), await join()]
      const lists = []
      for (let n = 0; n < 6; n++) lists.push(await make(owner, { name: `list ${n}` }))
      for (const list of lists) okay(await follow(reader, list))
      const replies = await Promise.all(lists.map((list) => pin(reader, list)))
      assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 403])
      const extra = replies.find(({ status }) => status === 403)
      assert.deepEqual(extra && refused(extra), [403, 'A user may have at most 5 pinned lists.'])
      const pinned = idsIn(await read(reader, `/2/users/${reader.id}/pinned_lists`))
      assert.equal(pinned.length, 5)
      okay(await reader.core('DELETE', `/2/users/${reader.id}/followed_lists/${pinned[0]}`))
      assert.deepEqual(idsIn(await read(reader, `/2/users/${reader.id}/pinned_lists`)), pinned.slice(1))
      assert.equal((await pin(reader, String(pinned[0]))).status, 403, 'it is no longer followed')
    })

    test('members are added once, however many calls add them at the same time', async () => {
      const owner = await join()
      const members = await Promise.all(Array.from({ length: 6 }, () => join()))
      const list = await make(owner)
      await Promise.all([...members, ...members].map((member) => add(owner, list, member)))
      await Promise.all(members.map((member) => follow(member, list)))
      const { data } = await read(owner, `/2/lists/${list}?list.fields=member_count,follower_count`)
      assert.deepEqual([data?.member_count, data?.follower_count], [6, 6])
      for (const member of members) assert.equal(await count(member), 1)
      // A list that becomes private and public again, while members are removed.
      const changes = Array.from({ length: 4 }, (_, n) =>
        owner.core('PUT', `/2/lists/${list}`, { private: n % 2 === 0 }),
      )
      const removals = members.map((member) => owner.core('DELETE', `/2/lists/${list}/members/${member.id}`))
      for (const reply of await Promise.all([...changes, ...removals])) okay(reply)
      for (const member of members) assert.equal(await count(member), 0)
    })

    test('a list has up to 5,000 members, and a user up to 1,000 lists; pages have all of them once', async () => {
      const { context } = opened.plaza
      const [owner, last] = [await join(), await join()]
      const { id: list } = await makeList(context, { ownerId: owner.id })
      const members = await fill(context, list)
      const refusal = await owner.core('POST', `/2/lists/${list}/members`, { user_id: last.id })
      assert.deepEqual(refused(refusal), [403, 'A list may have at most 5,000 members.'])
      const pages = await pagesOf(owner, `/2/lists/${list}/members`)
      assert.deepEqual(
        pages.map((page) => page.length),
        Array(50).fill(100),
      )
      assert.deepEqual(pages.flat(), members.toReversed())
      const posts = []
      for (const author of [0, 2_500, 4_999])
        posts.unshift((await makePost(context, { authorId: String(members[author]) })).id)
      assert.deepEqual(idsIn(await read(owner, `/2/lists/${list}/posts`)), posts)
      const search = `/2/posts/search/recent?query=list:${list}&until_id=${2n ** 63n - 1n}`
      await until('the search finds them', async () => idsIn(await read(owner, search)).length === 3)
      okay(await owner.core('PUT', `/2/lists/${list}`, { private: true }))
      const made = await context.store.write(async (tx) => {
        const ids: string[] = []
        for (let n = 0; n < MAX_LISTS; n++) {
          const text = { owner_id: last.id, name: `list ${n}`, description: '', private: 0 }
          const row = await createList(tx, text, context)
          if (row) ids.push(row.id)
        }
        return ids
      })
      assert.deepEqual(refused(await last.core('POST', '/2/lists', { name: 'one more' })), [
        403,
        'A user may have at most 1,000 lists.',
      ])
      const owned = await pagesOf(owner, `/2/users/${last.id}/owned_lists`)
      assert.deepEqual(
        owned.map((page) => page.length),
        Array(10).fill(100),
      )
      assert.deepEqual(owned.flat(), made.toReversed())
      okay(await owner.core('DELETE', `/2/lists/${list}`))
    })

    test('pages of posts reach the newest 800', async () => {
      const [owner, member] = [await join(), await join()]
      const list = await make(owner)
      await add(owner, list, member)
      const { context } = opened.plaza
      for (let n = 0; n < 41; n++)
        await Promise.all(Array.from({ length: 20 }, () => makePost(context, { authorId: member.id })))
      const path = `/2/lists/${list}/posts`
      const pages = await pagesOf(owner, `${path}?max_results=90`)
      assert.deepEqual(
        pages.map((page) => page.length),
        [...Array(8).fill(90), 80],
      )
      const all = pages.flat()
      assert.equal(new Set(all).size, 800)
      // Back from the last page: tokens for newer posts know where they are too.
      const third = await read(owner, `${path}?max_results=90`)
      const second = await read(owner, `${path}?max_results=90&pagination_token=${third.meta?.next_token}`)
      const back = await read(owner, `${path}?max_results=90&pagination_token=${second.meta?.previous_token}`)
      assert.deepEqual(idsIn(back), pages[0])
      assert.equal(back.meta?.next_token, third.meta?.next_token)
      const beyond = `${path}?pagination_token=m8o${'0'.repeat(24)}`
      assert.equal((await owner.core('GET', beyond)).status, 400)
    })

    test('the operator makes a list of any user', async () => {
      const admin = new Admin(opened.plaza, client)
      const [owner, member, shy] = [await join(), await join(), await join()]
      const made = await admin.call('POST', '/lists', { owner: owner.id, name: 'made', private: true })
      assert.deepEqual(await admin.call('PUT', `/lists/${made.id}/members/${member.id}`), {
        ...{ id: member.id, screen_name: member.screenName, name: 'Person' },
      })
      assert.deepEqual(await admin.all(`/lists/${made.id}/members`), [
        { id: member.id, screen_name: member.screenName, name: 'Person' },
      ])
      const [listed] = await admin.all<Record<string, unknown>>(`/users/${owner.id}/lists`)
      assert.deepEqual([listed?.id, listed?.private, listed?.member_count], [made.id, true, 1])
      assert.deepEqual(idsIn(await read(owner, `/2/users/${member.id}/list_memberships`)), [made.id])
      assert.deepEqual(await admin.wrong('PUT', `/lists/${made.id}/followers/${member.id}`), [
        404,
        `There is no list ${made.id} that @${member.screenName} sees.`,
      ])
      await admin.call('PUT', `/lists/${made.id}/pins/${owner.id}`)
      assert.deepEqual(idsIn(await read(owner, `/2/users/${owner.id}/pinned_lists`)), [made.id])
      await change(opened.plaza, shy, { protected: 1 })
      assert.deepEqual(await admin.wrong('PUT', `/lists/${made.id}/members/${shy.id}`), [
        400,
        `@${shy.screenName} is suspended, protected, or blocks the owner.`,
      ])
      assert.deepEqual(await admin.wrong('POST', '/lists', { owner: 'nobody_here', name: 'x' }), [
        400,
        'There is no user nobody_here.',
      ])
      await admin.call('DELETE', `/lists/${made.id}/members/${member.id}`)
      await admin.call('DELETE', `/lists/${made.id}`)
      assert.deepEqual(await admin.wrong('DELETE', `/lists/${made.id}`), [
        404,
        `There is no list ${made.id}.`,
      ])
    })

    test('a snapshot has lists with everything that belongs to them', { skip: stage.shared }, async () => {
      const admin = new Admin(opened.plaza, client)
      const [owner, member] = [await join(), await join()]
      const list = await make(owner)
      await add(owner, list, member)
      await admin.call('POST', '/snapshots', { name: 'with-lists' })
      okay(await owner.core('DELETE', `/2/lists/${list}`))
      await admin.call('POST', '/snapshots/with-lists/restore')
      assert.deepEqual(idsIn(await read(owner, `/2/lists/${list}/members`)), [member.id])
    })

    test('the counts agree with the rows, and a wrong one is repaired', async () => {
      const { store } = opened.plaza.context
      const [owner, member] = [await join(), await join()]
      const list = await make(owner)
      await add(owner, list, member)
      const differences = async (repair: boolean) => {
        const found: Difference[] = []
        for await (const _ of compareAll(store, comparisons, { repair, found: (one) => found.push(one) }));
        return found.map(({ of, name, stored, expected }) => [of, name, Number(stored), Number(expected)])
      }
      assert.deepEqual(await differences(false), [])
      await store.write((tx) => tx.run(setMemberCount, { list, count: 7 }))
      assert.deepEqual(await differences(true), [[`list ${list}`, 'member_count', 7, 1]])
      assert.deepEqual(await differences(false), [])
    })
  })
}
