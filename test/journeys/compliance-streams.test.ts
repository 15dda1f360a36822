import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { deleteNote, rateNote, writeNote } from '../../src/domain/notes/notes.ts'
import { enroll } from '../../src/domain/notes/writers.ts'
import { like, unlike } from '../../src/domain/posts/engagement.ts'
import { deleteVersions } from '../../src/domain/posts/remove.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { markDeleted } from '../../src/identity/users/deletion.ts'
import { type ProfileChanges, updateProfile } from '../../src/identity/users/profile.ts'
import { lockAuthor } from '../../src/identity/users/queries.ts'
import { createUser } from '../../src/identity/users/users.ts'
import type { Transaction } from '../../src/platform/storage/store.ts'
import { changeApp, theApp } from '../../src/workbench/create/apps.ts'
import { Client, demoKeys } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { StreamReader } from '../support/stream-reader.ts'
import { until } from '../support/until.ts'

// Clients that keep posts, users and likes learn what became of them.

const POSTS = '/2/posts/compliance/stream'
const USERS = '/2/users/compliance/stream'
const LIKES = '/2/likes/compliance/stream'
const LABELS = '/2/posts/label/stream'
const MINUTE_MS = 60_000
const NOTE = 'It is from 2019: https://e.example/'

for (const stage of stages) {
  describe(`compliance streams on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let client: Client
    let bearer: string
    let author: string
    const readers: StreamReader[] = []

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      client = new Client(opened.plaza)
      bearer = await client.bearer(demoKeys(opened.plaza))
      author = await newUser('someone')
    })
    afterEach(async () => {
      for (const reader of readers.splice(0)) reader.close()
      await until('no connection is left', () =>
        nodes.every(({ context }) => context.connections.count === 0),
      )
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const write = <Result>(work: (tx: Transaction) => Promise<Result>) =>
      opened.plaza.context.store.write(work)
    const newUser = (screen_name: string) =>
      write(async (tx) => {
        const id = opened.plaza.context.ids.next()
        const names = { screen_name, screen_name_key: screen_name, name: screen_name }
        await createUser(tx, { id, ...names, password_hash: 'none', suspended: 0, created_at: tx.now })
        return id
      })
    const open = async (path: string, query = '', at = 0) => {
      const reader = await StreamReader.open(nodes[at % nodes.length] as Plaza, bearer, query, path)
      assert.equal(reader.status, 200)
      readers.push(reader)
      return reader
    }
    /** All partitions of a stream, each on another node. */
    const openAll = async (path: string, query = '') => {
      const all = await Promise.all([1, 2, 3, 4].map((n) => open(path, `?partition=${n}${query}`, n)))
      return () => all.flatMap(({ items }) => items.map(({ data }) => data as unknown))
    }
    const post = (text: string, more: object = {}) =>
      makePost(opened.plaza.context, { authorId: author, text, ...more })
    const remove = (row: PostRow) => write((tx) => deleteVersions(tx, row))
    const change = (id: string, changes: ProfileChanges) => write((tx) => updateProfile(tx, id, changes))
    const now = () => new Date(opened.plaza.clock.now()).toISOString()
    const arrived = (lines: () => unknown[], count: number) =>
      until(`${count} lines have arrived`, () => lines().length >= count)
    const sorted = (lines: readonly unknown[]) => lines.map((one) => JSON.stringify(one)).toSorted()
    const same = (actual: readonly unknown[], expected: readonly unknown[]) =>
      assert.deepEqual(sorted(actual), sorted(expected))

    test('each version of a deleted post is an event, with one for every public quote', async () => {
      const hidden = await newUser('p_hidden')
      await change(hidden, { protected: 1 })
      const first = await post('A first version')
      const lines = await openAll(POSTS)
      const second = await post('A second version', { previous: first })
      const quote = await post('See this', { quotedPostId: second.id })
      await post('See this, friends', { quotedPostId: second.id, authorId: hidden })
      await remove(await post('only for advertisements', { nullcast: true }))
      await remove(await post('in the sandbox', { environment: 'sandbox' }))
      await remove(second)
      await arrived(lines, 4)
      await remove(quote)
      await arrived(lines, 5)
      const event_at = now()
      const gone = (row: PostRow, more: object = {}) => ({
        delete: { post: { id: row.id, author_id: author }, ...more, event_at },
      })
      same(lines(), [
        {
          post_edit: {
            ...{ post: { id: second.id }, initial_post_id: first.id },
            ...{ edit_post_ids: [first.id, second.id], event_at },
          },
        },
        gone(first),
        gone(second),
        gone(second, { quote_post_id: quote.id }),
        gone(quote),
      ])
    })

    test('a client that was away reads what it missed: a backfill, and a past period that ends', async () => {
      const { clock } = opened.plaza
      clock.moveTo(clock.now() + 30 * MINUTE_MS)
      const from = now().replace(/\.\d+Z/, 'Z')
      clock.moveTo(clock.now() + 1_000)
      const rows = []
      for (let n = 0; n < 12; n++) rows.push(await post(`Number ${n}`))
      for (const row of rows) await remove(row)
      clock.moveTo(clock.now() + MINUTE_MS)
      const backfilled = await openAll(POSTS, '&backfill_minutes=2')
      await arrived(backfilled, 12)
      const deleted = (lines: readonly unknown[]) =>
        lines.map((one) => (one as { delete: { post: { id: string } } }).delete.post.id)
      same(
        deleted(backfilled()),
        rows.map(({ id }) => id),
      )
      const last = await post('The last one')
      await remove(last)
      await arrived(backfilled, 13)
      const to = now().replace(/\.\d+Z/, 'Z')
      const past = await openAll(POSTS, `&start_time=${from}&end_time=${to}`)
      await until('every recovery ended', () => readers.slice(-4).every(({ end }) => end === 'whole'))
      const ids = past().flatMap((one) => (one ? deleted([one]) : []))
      same(
        ids,
        rows.map(({ id }) => id),
      )
    })

    test('users are protected, suspended, renamed and deleted', async () => {
      const ids = await Promise.all(['u_ann', 'u_bob'].map(newUser))
      const [ann = '', bob = ''] = ids
      const lines = await openAll(USERS)
      await change(ann, { protected: 1 })
      await change(ann, { protected: 0, name: 'Ann', url: 'https://ann.example/' })
      await change(ann, { url: null, handle: 'u_ann2' })
      await write((tx) => setSuspended(tx, { kind: 'user', id: bob, suspended: true }))
      await write((tx) => setSuspended(tx, { kind: 'user', id: bob, suspended: false }))
      await write(async (tx) => {
        await tx.first(lockAuthor, { id: bob })
        await markDeleted(tx, bob)
      })
      await arrived(lines, 8)
      const event_at = now()
      const of = (kind: string, id: string) => ({ [kind]: { user: { id }, event_at } })
      const changed = (profile_field: string, new_value: string) => ({
        user_profile_modification: { user: { id: ann }, profile_field, new_value, event_at },
      })
      same(lines(), [
        of('user_protect', ann),
        of('user_unprotect', ann),
        changed('profile.name', 'Ann'),
        changed('profile.url', 'https://ann.example/'),
        changed('profile.url', ''),
        of('user_suspend', bob),
        of('user_unsuspend', bob),
        of('user_delete', bob),
      ])
    })

    test('public likes that are taken back are sent, others and those of deleted posts are not', async () => {
      const [open_, closed] = await Promise.all([newUser('l_open'), newUser('l_closed')])
      await change(closed, { protected: 1 })
      const liked = await post('A liked post')
      const ofClosed = await post('Not public', { authorId: closed })
      const gone = await post('It goes')
      const reader = await open(LIKES, '', 1)
      const react = (work: typeof like, userId: string, row: PostRow) =>
        write((tx) => work({ tx, userId, post: row }))
      for (const [userId, row] of [
        [closed, liked],
        [open_, ofClosed],
        [open_, gone],
        [open_, liked],
      ] as const)
        await react(like, userId, row)
      await remove(gone)
      await opened.plaza.tasks.runDue('remove reactions to post')
      await react(unlike, closed, liked)
      await react(unlike, open_, ofClosed)
      await react(unlike, open_, liked)
      await until('the like has arrived', () => reader.items.length > 0)
      assert.deepEqual(
        reader.items.map(({ data }) => data as unknown),
        [{ delete: { favorite: { id: liked.id, user_id: open_ }, event_at: now() } }],
      )
    })

    test('a note that is rated helpful labels the post, until it is deleted', async () => {
      const { ids } = opened.plaza.context
      const writer = await newUser('n_writer')
      await write((tx) => enroll(tx, writer, 'regular'))
      const noted = await post('The picture is from today')
      const reader = await open(LABELS, '', 1)
      const newNote = (testMode: boolean) =>
        write((tx) =>
          writeNote(
            tx,
            {
              ...{ userId: writer, postId: noted.id, testMode, text: NOTE },
              ...{
                classification: 'misinformed_or_potentially_misleading',
                misleadingTags: ['outdated_information'],
              },
              ...{ trustworthySources: true, isMediaNote: false },
            },
            { ids },
          ),
        )
      const note = await newNote(false)
      await newNote(true)
      const viewpoints = ['positive', 'neutral', 'negative'] as const
      for (let n = 0; n < 9; n++) {
        const rater = await newUser(`n_rater${n}`)
        const viewpoint = viewpoints[n % 3] ?? 'neutral'
        await write((tx) =>
          rateNote(tx, note, { userId: rater, helpfulness: 'helpful', viewpoint, tags: [] }),
        )
      }
      await until('the label has arrived', () => reader.items.length > 0)
      await write((tx) => deleteNote(tx, note, writer))
      await until('both have arrived', () => reader.items.length >= 2)
      const label = (application: string, details: object) => ({
        public_post_notice: {
          ...{ post: { id: noted.id, author_id: author }, event_type: 'community_note', application },
          ...{ event_at: now(), label_title: 'Community note', ...details },
        },
      })
      assert.deepEqual(
        reader.items.map(({ data }) => data as unknown),
        [label('apply', { details: NOTE }), label('remove', {})],
      )
    })

    test('the streams are listed, and are for apps with an enterprise plan', async () => {
      await open(POSTS, '?partition=2')
      const headers = { authorization: `Bearer ${bearer}` }
      const listed = await client.send('GET', '/2/connections?connection.fields=endpoint_name', { headers })
      assert.match(listed.text, /posts_compliance_stream/)
      const twice = await client.send('GET', `${POSTS}?partition=2`, { headers })
      assert.equal(twice.status, 429)
      for (const query of ['', '?partition=0', '?partition=5', '?partition=1&end_time=2026-01-01T00:00:00Z'])
        assert.equal((await client.send('GET', POSTS + query, { headers })).status, 400, query)
      const { context } = opened.plaza
      const plan = (enterprise: boolean) =>
        write(async (tx) => {
          const app = await theApp(tx, opened.plaza.seeded?.apps[0]?.id ?? '')
          return changeApp(tx, app, { enterprise }, context)
        })
      await plan(false)
      for (const path of [`${POSTS}?partition=1`, `${USERS}?partition=1`, LIKES, LABELS])
        assert.equal((await client.send('GET', path, { headers })).status, 403, path)
      await plan(true)
    })
  })
}
