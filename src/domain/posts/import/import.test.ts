import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Opened, stages } from '../../../../test/support/stages.ts'
import { addAuthors, GeneratedPosts } from '../../../app/seed/generated/posts.ts'
import { query } from '../../../app/tables.ts'
import { profilesByNames } from '../../../identity/users/queries.ts'
import { compareIds, idAt } from '../../../platform/common/ids.ts'
import { NO_DICTIONARY } from '../../annotations/dictionary.ts'
import { readEvents } from '../../../platform/events/log.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { generateOptions } from '../../../workbench/imports/post-imports.ts'
import { postIdsOf } from '../events.ts'
import { postsByIds } from '../queries.ts'
import { claimImport, IMPORT_LEASE_MS, ImportBusy, type ImportClaim, ImportLost } from './claim.ts'
import { ImportStopped, importFile, importGenerated } from './import.ts'

const folder = await mkdtemp(join(tmpdir(), 'plaza-import-'))
after(() => rm(folder, { recursive: true, force: true }))

const rename = query<{ from: string; to: string }>('renameImported', (db, at) =>
  db
    .updateTable('users')
    .set({ screen_name: at.to, screen_name_key: at.to })
    .where('screen_name_key', '=', at.from),
)

for (const stage of stages) {
  describe(`imports of posts: ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let store: Store
    let now: number
    const reports: string[] = []
    before(async () => {
      opened = await stage.open({ seed: 'none' })
      store = opened.plaza.context.store
      now = opened.plaza.clock.now()
    })
    after(() => opened.close())

    const claim = (id: string, { holder = 'one', host = 'here', at = now, afresh = false } = {}) =>
      claimImport(
        { id, name: id, afresh },
        { store, clock: { now: () => at }, importer: { holder, host, pid: 7 }, isAlive: () => true },
      )
    const partsOf = (claimed: ImportClaim, signal = new AbortController().signal) => ({
      ...{ store, ids: opened.plaza.context.ids, claim: claimed, clock: { now: () => now }, signal },
      ...{
        dictionary: NO_DICTIONARY,
        vocabulary: neutralVocabulary,
        createAuthors: true,
        progress: () => undefined,
      },
      report: (line: number, reason: string) => void reports.push(`${line}: ${reason}`),
    })
    const importLines = async (name: string, lines: readonly (object | string)[], createAuthors = true) => {
      reports.length = 0
      const file = join(folder, name)
      await writeFile(
        file,
        lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      )
      const claimed = await claim(`${stage.name} ${name}`)
      const { added, known, rejected } = await importFile(file, { ...partsOf(claimed), createAuthors })
      await claimed.release()
      return { added, known, rejected }
    }
    const idOf = (n: number) => idAt(now - 3_600_000 + n * 1_000, 1023, 0)
    const post = (n: number, username: string, change: object = {}) => ({
      ...{ id: idOf(n), username, text: `Post number ${n} of @${username}`, lang: 'en' },
      ...change,
    })
    const refer = (type: string, n: number) => ({ referenced_posts: [{ type, id: idOf(n) }] })
    const rows = async (...numbers: number[]) => {
      const ids = JSON.stringify(numbers.map(idOf))
      const found = await store.all(postsByIds, { environment: 'production', ids })
      return found.sort((a, b) => compareIds(a.id, b.id))
    }
    const postCounts = async (...names: string[]) =>
      (await store.all(profilesByNames, { keys: JSON.stringify(names) }))
        .sort((a, b) => (a.screen_name < b.screen_name ? -1 : 1))
        .map(({ post_count }) => Number(post_count))

    test('an array of posts is imported, and another kind of file is rejected once', async () => {
      const author = `array${stage.name.length}`
      const file = join(folder, 'array.js')
      const texts = ['One of an array', 'Two of an array', 'Three of an array']
      const elements = texts.map((text, n) => ({
        post: { id_str: idOf(700 + n), full_text: text, favorite_count: '2' },
      }))
      await writeFile(file, `data.part0 = ${JSON.stringify([...elements, { post: {} }], undefined, 2)}`)
      const terms = { vocabulary: neutralVocabulary, author }
      const claimed = await claim(`${stage.name} array`)
      reports.length = 0
      const done = await importFile(file, { ...partsOf(claimed), terms })
      assert.deepEqual([done.added, done.rejected, reports], [3, 1, ['23: text must be a text, not absent']])
      const found = await rows(700, 701, 702)
      assert.deepEqual(
        found.map(({ text, like_count }) => [text, Number(like_count)]),
        texts.map((text) => [text, 2]),
      )
      const other = join(folder, 'other.json')
      await writeFile(other, '{"users":[1]}\n{"users":[2]}\n')
      const rejected = importFile(other, partsOf(await claim(`${stage.name} other`)))
      await assert.rejects(rejected, {
        name: 'UnreadableImport',
        message: `Line 1 of ${other} is not a post: "users" is not a member of a post. It must hold posts in JSON, one a line or all in an array: as the API returns them, in pages with their includes, or in the classic format of 1.1 and of archives. If its members have other names, name the vocabulary with --vocabulary.`,
      })
      assert.equal(reports.length, 1)
    })

    test('posts are added with their authors, references and numbers; bad lines are reported', async () => {
      const counts = await importLines('all.jsonl', [
        post(1, 'ava', { public_metrics: { like_count: 7, reply_count: 5, repost_count: 1 } }),
        post(2, 'ben', refer('replied_to', 1)),
        '{"text": }',
        post(3, 'cleo', { ...refer('reposted', 1), text: undefined }),
        post(4, 'ben', refer('quoted', 2)),
        post(5, 'ben', refer('replied_to', 99)),
        '',
        post(6, 'cleo', { ...refer('reposted', 1), text: undefined }),
        post(7, 'ben', refer('reposted', 3)),
        post(2, 'ben', { text: 'Twice' }),
        { username: 'ava', text: 'Without an id', created_at: '2020-01-01T00:00:00Z' },
        { username: 'ava', text: 'Another of that time', created_at: '2020-01-01T00:00:00Z' },
      ])
      assert.deepEqual(counts, { added: 6, known: 1, rejected: 4 })
      assert.match(reports[0] ?? '', /^3: it is not JSON: /)
      assert.deepEqual(reports.slice(1), [
        `6: there is no post ${idOf(99)}, which it replies to: it must be imported first`,
        `8: @cleo has reposted ${idOf(1)} already`,
        `9: the post ${idOf(3)} is a repost itself`,
      ])
      const [one, two, three, four] = await rows(1, 2, 3, 4)
      assert.deepEqual(
        [one, two, three, four].map((row) => [
          row?.text,
          ...[row?.reply_count, row?.repost_count, row?.quote_count, row?.like_count].map(Number),
        ]),
        [
          ['Post number 1 of @ava', 5, 1, 0, 7],
          ['Post number 2 of @ben', 0, 0, 1, 0],
          ['RP @ava: Post number 1 of @ava', 0, 0, 0, 0],
          ['Post number 4 of @ben', 0, 0, 0, 0],
        ],
      )
      assert.deepEqual(
        [two?.conversation_id, two?.in_reply_to_user_id, three?.reposted_post_id, four?.quoted_post_id],
        [idOf(1), one?.author_id, idOf(1), idOf(2)],
      )
      assert.equal(JSON.parse(one?.entities ?? '').mentions[0].id, one?.author_id)
      assert.deepEqual(await postCounts('ava', 'ben', 'cleo'), [3, 2, 1])
    })

    test('a post belongs to the user who has the name now, whoever had it when a post mentioned it', async () => {
      await importLines('before.jsonl', [
        post(20, 'fay'),
        post(21, 'gus', { text: 'A talk with @fay', lang: 'en' }),
      ])
      await store.write((tx) => tx.run(rename, { from: 'fay', to: 'fay2' }))
      await importLines('after.jsonl', [post(22, 'fay')])
      const [first, , second] = await rows(20, 21, 22)
      assert.notEqual(second?.author_id, first?.author_id)
      await importLines('reposts.jsonl', [
        post(23, 'hal', { ...refer('reposted', 21), text: undefined }),
        post(24, 'fay'),
        post(25, 'hal', { text: 'Hello @fay' }),
      ])
      const [repost, later, mention] = await rows(23, 24, 25)
      assert.equal(later?.author_id, second?.author_id)
      const mentioned = [repost, mention].map((row) =>
        (JSON.parse(row?.entities ?? '') as { mentions: { username: string; id: string }[] }).mentions
          .filter(({ username }) => username === 'fay')
          .map(({ id }) => id),
      )
      assert.deepEqual(mentioned, [[first?.author_id], [second?.author_id]])
    })

    test('consumers of events learn of all of them, and of none as a new post', async () => {
      const events = await readEvents(store, { after: 0, limit: 1_000 })
      const ids = new Set(events.flatMap(postIdsOf))
      for (const n of [1, 2, 3, 4]) assert.ok(ids.has(idOf(n)), String(n))
      assert.ok(events.every(({ kind }) => kind !== 'post.published'))
    })

    test('without leave to create authors only posts of known ones are added', async () => {
      assert.deepEqual(await importLines('known.jsonl', [post(10, 'ava'), post(11, 'nobody')], false), {
        ...{ added: 1, known: 0, rejected: 1 },
      })
      assert.deepEqual(reports, ['2: there is no user @nobody'])
    })

    test('of two processes that start one import, one continues', async () => {
      const id = `${stage.name} contended`
      const outcomes = await Promise.allSettled(
        ['one', 'two', 'three'].map((holder) => claim(id, { holder, host: holder })),
      )
      const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      assert.equal(rejected.length, 2)
      for (const error of rejected) assert.ok(error instanceof ImportBusy)
    })

    test('an abandoned import is taken over, and the former process writes nothing more', async () => {
      const id = `${stage.name} left`
      const first = await claim(id)
      await assert.rejects(claim(id, { holder: 'two', at: now + IMPORT_LEASE_MS - 1 }), ImportBusy)
      const second = await claim(id, { holder: 'two', at: now + IMPORT_LEASE_MS })
      const posts = () =>
        new GeneratedPosts({
          ...generateOptions({ count: 3, seed: 5, authors: 2, days: 1 }),
          endMs: now,
        }).posts()
      const lost = importGenerated(posts(), partsOf(first))
      await assert.rejects(lost, ImportLost)
      // Their authors do not exist. The process that has the import rejects each of them.
      const { rejected } = await importGenerated(posts(), partsOf(second))
      assert.equal(rejected, 3)
    })

    test('an import that was stopped continues where it was', async () => {
      const count = 5_500
      const generated = () =>
        new GeneratedPosts({ ...generateOptions({ count, seed: 9, authors: 40, days: 2 }), endMs: now })
      await addAuthors(store, generated().authors)
      const id = `${stage.name} stopped`
      const stop = new AbortController()
      const first = await claim(id)
      const parts = partsOf(first, stop.signal)
      const stopping = importGenerated(generated().posts(), { ...parts, progress: () => stop.abort() })
      await assert.rejects(stopping, ImportStopped)
      await first.release()
      const second = await claim(id, { holder: 'two' })
      assert.ok(second.found.line > 0 && second.found.line < count)
      reports.length = 0
      const { added, known, rejected, pass } = await importGenerated(generated().posts(), partsOf(second))
      assert.deepEqual(
        { added, known, rejected, pass, reports },
        {
          ...{ added: count, known: 0, rejected: 0, pass: 'done', reports: [] },
        },
      )
    })
  })
}
