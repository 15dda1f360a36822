import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { query } from '../../src/app/tables.ts'
import { jobProcessing } from '../../src/domain/compliance/processing.ts'
import { deleteVersions } from '../../src/domain/posts/remove.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { setSuspended } from '../../src/identity/apps/suspension.ts'
import { markDeleted } from '../../src/identity/users/deletion.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { lockAuthor } from '../../src/identity/users/queries.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { timeOfId } from '../../src/platform/common/ids.ts'
import type { Transaction } from '../../src/platform/storage/store.ts'
import { Client, demoKeys } from '../support/client.ts'
import { allEventsHandled } from '../support/events.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'
import { sweepMedia } from '../support/tasks.ts'

// An app uploads many ids, and learns which posts and users it may no longer show.

interface Job {
  id: string
  type: string
  name?: string
  resumable: boolean
  status: string
  created_at: string
  upload_url: string
  upload_expires_at: string
  download_url: string
  download_expires_at: string
  error?: string
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const PROCESS = 'process compliance job'
const REMOVE = 'remove old compliance jobs'

const storedFiles = query<object, { hash: string }>('filesOfComplianceTest', (db) =>
  db.selectFrom('compliance_files').select('hash').orderBy('hash').limit(10),
)
const mediaFile = query<{ hash: string }, { going: number }>('mediaFileOfComplianceTest', (db, at) =>
  db.selectFrom('media_files').select('going').where('hash', '=', at.hash),
)
const records = query<object, { id: string }>('recordsOfComplianceTest', (db) =>
  db.selectFrom('compliance_records').select('id').orderBy('id').limit(10),
)

for (const stage of stages) {
  describe(`compliance jobs on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let nodes: Plaza[]
    let client: Client
    let other: Client
    let bearer: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      nodes = [opened.plaza, ...(stage.shared ? [await opened.second()] : [])]
      client = new Client(opened.plaza)
      other = new Client(nodes.at(-1) as Plaza)
      bearer = await client.bearer(demoKeys(opened.plaza))
    })
    after(async () => {
      await client?.close()
      await other?.close()
      await opened?.close()
    })

    const call = (method: string, path: string, json?: unknown, token = bearer) =>
      client.send(method, path, {
        headers: { authorization: `Bearer ${token}` },
        ...(json !== undefined && { json }),
      })
    const create = async (json: object) => {
      const reply = await call('POST', '/2/compliance/jobs', json)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Job }).data
    }
    const get = async (id: string, query = '') => {
      const reply = await call('GET', `/2/compliance/jobs/${id}${query}`)
      assert.equal(reply.status, 200, reply.text)
      return (reply.json as { data: Job }).data
    }
    const put = (url: string, body: string, headers: Record<string, string> = {}) =>
      // Any node takes it.
      other.send('PUT', new URL(url).pathname, {
        headers: { 'content-type': 'text/plain', ...headers },
        body: Buffer.from(body),
      })
    const run = async () => {
      await allEventsHandled(opened.plaza.context.store)
      for (const { tasks } of nodes) await tasks.runDue(PROCESS)
    }
    const download = async ({ download_url }: Job) => {
      const reply = await client.send('GET', download_url)
      assert.equal(reply.status, 200, reply.text)
      const lines = reply.text.split('\n')
      assert.equal(lines.pop(), '')
      return lines.map((line) => JSON.parse(line) as Record<string, string>)
    }
    /** Uploads ids and resolves to the lines of the result. */
    const answers = async (type: string, ids: readonly string[]) => {
      const job = await create({ type })
      const reply = await put(job.upload_url, ids.join('\n'))
      assert.equal(reply.status, 200, reply.text)
      assert.equal((await get(job.id)).status, 'in_progress')
      await run()
      assert.equal((await get(job.id)).status, 'complete')
      return download(job)
    }
    const write = <Result>(work: (tx: Transaction) => Promise<Result>) =>
      opened.plaza.context.store.write(work)
    const newUser = (screen_name: string) =>
      write(async (tx) => {
        const id = opened.plaza.context.ids.next()
        const names = { screen_name, screen_name_key: screen_name, name: screen_name }
        await createUser(tx, { id, ...names, password_hash: 'none', suspended: 0, created_at: tx.now })
        return id
      })
    const deleteUser = (id: string) =>
      write(async (tx) => {
        await tx.first(lockAuthor, { id })
        await markDeleted(tx, id)
      })
    const setProtected = (id: string, protects: number) =>
      write((tx) => updateProfile(tx, id, { protected: protects }))
    const suspend = (id: string, suspended: boolean) =>
      write((tx) => setSuspended(tx, { kind: 'user', id, suspended }))
    /** The next second, at which nothing has happened. */
    const later = () => {
      opened.plaza.clock.moveTo(opened.plaza.clock.now() + 1_000)
      return new Date(opened.plaza.clock.now()).toISOString()
    }
    const advance = (ms: number) => opened.plaza.clock.moveTo(opened.plaza.clock.now() + ms)

    test('a job goes from its creation to a result with the ids that may not be shown', async () => {
      const [ann, bob, cyd, dot] = await Promise.all([
        ...[newUser('c_ann'), newUser('c_bob')],
        ...[newUser('c_cyd'), newUser('c_dot')],
      ])
      const rowOf = (authorId = '') => makePost(opened.plaza.context, { authorId })
      const post = async (authorId?: string) => (await rowOf(authorId)).id
      const kept = await post(ann)
      const row = await rowOf(ann)
      const deleted = row.id
      const ofProtected = await post(bob)
      const ofSuspended = await post(cyd)
      const ofDeleted = await post(dot)
      assert.equal((await call('GET', '/2/compliance/jobs?type=posts')).text, '{"meta":{"result_count":0}}')
      const job = await create({ type: 'posts', name: 'all of mine' })
      assert.deepEqual(Object.keys(job).sort(), [
        ...['created_at', 'download_expires_at', 'download_url', 'id', 'name', 'resumable', 'status'],
        ...['type', 'upload_expires_at', 'upload_url'],
      ])
      const createdMs = Date.parse(job.created_at)
      assert.equal(Date.parse(job.upload_expires_at), createdMs + 15 * MINUTE_MS)
      assert.equal(Date.parse(job.download_expires_at), createdMs + 7 * DAY_MS)
      assert.deepEqual(
        [job.type, job.status, job.resumable, job.name],
        ['posts', 'created', false, 'all of mine'],
      )
      assert.equal((await client.send('GET', job.download_url)).status, 404)

      const deletedAt = later()
      await write((tx) => deleteVersions(tx, row))
      const protectedAt = later()
      await setProtected(String(bob), 1)
      const suspendedAt = later()
      await suspend(String(cyd), true)
      const userDeleted = later()
      await deleteUser(String(dot))
      await allEventsHandled(opened.plaza.context.store)
      const ids = ['999', kept, deleted, ofProtected, ofSuspended, ofDeleted, 'no id', '', ` ${deleted}`]
      const sent = await put(job.upload_url, `\uFEFF${ids.join('\r\n')}`)
      assert.deepEqual([sent.status, sent.text], [200, ''])
      assert.equal((await put(job.upload_url, kept)).status, 409)
      const again = await call('POST', '/2/compliance/jobs', { type: 'posts' })
      assert.equal(again.status, 409)
      assert.deepEqual(
        [(again.json as { title: string }).title, (again.json as { type: string }).type.split('/').at(-1)],
        ['Conflict', 'conflict'],
      )
      await run()
      const lines = await download(await get(job.id))
      assert.deepEqual(
        lines.map(({ id, action, reason, redacted_at }) => [id, action, reason, redacted_at]),
        [
          ['999', 'delete', 'deleted', undefined],
          [deleted, 'delete', 'deleted', deletedAt],
          [ofProtected, 'delete', 'protected', protectedAt],
          [ofSuspended, 'delete', 'suspended', suspendedAt],
          [ofDeleted, 'delete', 'deleted', userDeleted],
          [deleted, 'delete', 'deleted', deletedAt],
        ],
      )
      assert.ok(lines.every(({ created_at }) => Number.isFinite(Date.parse(created_at ?? ''))))

      const users = await answers('users', [ann, bob, cyd, dot, '77'].map(String))
      assert.deepEqual(
        users.map(({ id, reason, redacted_at }) => [id, reason, redacted_at]),
        [
          [bob, 'protected', protectedAt],
          [cyd, 'suspended', suspendedAt],
          [dot, 'deleted', userDeleted],
          ['77', 'deleted', undefined],
        ],
      )
      await setProtected(String(bob), 0)
      await suspend(String(cyd), false)
      assert.deepEqual(await answers('users', [bob, cyd].map(String)), [])
    })

    test('after the rows of a deleted user are gone, the time of the deletion is still known', async () => {
      const id = await newUser('c_gone')
      const first = (await makePost(opened.plaza.context, { authorId: id, text: 'v1' })).id
      await deleteUser(id)
      await opened.plaza.tasks.runDue('delete user')
      advance(2 * MINUTE_MS)
      await opened.plaza.tasks.runDue('remove rows of user')
      await opened.plaza.tasks.runDue('remove reactions to post')
      const [line] = await answers('posts', [first])
      assert.deepEqual([line?.id, line?.reason, typeof line?.redacted_at], [first, 'deleted', 'string'])
      const [user] = await answers('users', [id])
      assert.deepEqual([user?.id, user?.reason, typeof user?.redacted_at], [id, 'deleted', 'string'])
      // The records are kept for a while.
      advance(31 * DAY_MS)
      await opened.plaza.tasks.runDue(REMOVE)
      assert.deepEqual(await opened.plaza.context.store.all(records, {}), [])
      assert.deepEqual((await answers('posts', [first]))[0]?.redacted_at, undefined)
    })

    test('a large upload is processed in parts, also lines that two of them share', async () => {
      const id = await newUser('c_many')
      const known = (await makePost(opened.plaza.context, { authorId: id })).id
      const ids = Array.from({ length: 70_000 }, (_, n) =>
        n % 10_000 === 5 ? known : String(1_800_000_000_000_000_000n + BigInt(n)),
      )
      const job = await create({ type: 'posts' })
      assert.equal((await put(job.upload_url, ids.join('\n'))).status, 200)
      await run()
      const lines = await download(job)
      assert.deepEqual(
        lines.map((line) => line.id),
        ids.filter((one) => one !== known),
      )
      assert.equal(lines[0]?.created_at, new Date(timeOfId(String(ids[0]))).toISOString())
    })

    test('an upload in several requests goes on where the last one ended', async () => {
      const text = ['11', '222', '3333', '44444'].join('\n')
      const size = text.length
      const plain = await create({ type: 'users' })
      const refused = await client.send('POST', plain.upload_url, { headers: { 'svc-resumable': 'start' } })
      assert.equal(refused.status, 400)
      assert.equal((await put(plain.upload_url, '')).status, 200)
      await run()
      assert.deepEqual(await download(plain), [])

      const job = await create({ type: 'users', resumable: true })
      assert.equal((await client.send('POST', job.upload_url)).status, 400)
      const begun = await client.send('POST', job.upload_url, { headers: { 'x-goog-resumable': 'start' } })
      assert.equal(begun.status, 201)
      const to = begun.headers.location as string
      const send = async (range: string, body = '') => {
        const { status, headers } = await put(to, body, { 'content-range': range })
        return [status, headers.range]
      }
      assert.deepEqual(await send(`bytes */${size}`), [308, undefined])
      assert.deepEqual(await send(`bytes 0-3/${size}`, text.slice(0, 4)), [308, 'bytes=0-3'])
      assert.deepEqual(await send(`bytes */${size}`), [308, 'bytes=0-3'])
      // Too far ahead, and partly known.
      assert.deepEqual(await send(`bytes 9-11/${size}`, text.slice(9, 12)), [308, 'bytes=0-3'])
      assert.deepEqual(await send(`bytes 2-9/*`, text.slice(2, 10)), [308, 'bytes=0-9'])
      for (const wrong of ['bytes', 'bytes 4-3/9', 'bytes 0-9/9', `bytes 10-10/${size}`])
        assert.equal((await send(wrong, 'xyz'))[0], 400, wrong)
      assert.equal((await send(`bytes 0-1/${251 * 1024 * 1024}`, 'xy'))[0], 413)
      assert.equal((await get(job.id)).status, 'created')
      // What came before a wrong end is known.
      const last = `bytes 10-${size - 1}/${size}`
      assert.deepEqual(await send(last, text.slice(10)), [200, undefined])
      // The same again, as if the reply had been lost.
      assert.deepEqual(await send(last, text.slice(10)), [200, undefined])
      assert.deepEqual(await send(`bytes */${size}`), [200, undefined])
      assert.deepEqual(await send('bytes */3'), [409, undefined])
      await run()
      assert.deepEqual(
        (await download(job)).map(({ id }) => id),
        ['11', '222', '3333', '44444'],
      )
    })

    test('an upload in several requests may be empty', async () => {
      const job = await create({ type: 'users', resumable: true })
      assert.equal((await put(job.upload_url, '', { 'content-range': 'bytes */0' })).status, 200)
      await run()
      assert.deepEqual(await download(job), [])
    })

    test('an upload in one request replaces one that was broken off', async () => {
      const job = await create({ type: 'users', resumable: true })
      await put(job.upload_url, '98', { 'content-range': 'bytes 0-1/100' })
      assert.equal((await put(job.upload_url, '97')).status, 200)
      await run()
      assert.deepEqual(
        (await download(job)).map(({ id }) => id),
        ['97'],
      )
    })

    test('a job expires without an upload, and then another one can be created', async () => {
      const job = await create({ type: 'posts' })
      await put(job.upload_url, '1', { 'content-range': 'bytes 0-0/9' })
      advance(15 * MINUTE_MS)
      assert.equal((await get(job.id)).status, 'expired')
      assert.equal((await put(job.upload_url, '1')).status, 403)
      const next = await create({ type: 'posts' })
      const list = async (query: string) => {
        const { json } = await call('GET', `/2/compliance/jobs?type=posts${query}`)
        return (json as { data?: Job[] }).data?.map(({ id }) => id) ?? []
      }
      assert.deepEqual((await list('')).slice(0, 2), [next.id, job.id])
      assert.deepEqual(await list('&status=created'), [next.id])
      assert.deepEqual(await list('&status=in_progress'), [])
      const { store } = opened.plaza.context
      await opened.plaza.tasks.runDue(REMOVE)
      const left = (await store.all(storedFiles, {})).length
      assert.equal((await put(next.upload_url, '1')).status, 200)
      assert.equal((await store.all(storedFiles, {})).length, left + 1)
      await run()
    })

    test('fields choose the members, and the id is always there', async () => {
      const job = await create({ type: 'users' })
      assert.deepEqual(await get(job.id, '?compliance_job.fields=status'), { id: job.id, status: 'created' })
      await put(job.upload_url, '')
      await run()
    })

    test('jobs of another app, and URLs that were changed, are not found', async () => {
      const job = await create({ type: 'users' })
      const stranger = await client.bearer(
        await write((tx) => {
          const names = { name: 'Other tool', website: 'https://tool.example/' }
          const kinds = { permission: 'read', kind: 'web', signIn: false } as const
          const app = {
            ...names,
            ...kinds,
            callbacks: [],
            ownerUserId: opened.plaza.seeded?.users[0]?.id ?? '',
          }
          return createApp(tx, app, opened.plaza.context)
        }),
      )
      const { status, json } = await call('GET', `/2/compliance/jobs/${job.id}`, undefined, stranger)
      assert.equal(status, 200)
      const [error] = (json as { errors: { type: string; resource_type: string }[] }).errors
      assert.equal(error?.type.split('/').at(-1), 'resource-not-found')
      assert.equal(error?.resource_type, 'compliance_job')
      const listed = await call('GET', '/2/compliance/jobs?type=users', undefined, stranger)
      assert.equal(listed.text, '{"meta":{"result_count":0}}')
      // One app does not keep another from its job.
      const theirs = await call('POST', '/2/compliance/jobs', { type: 'users' }, stranger)
      assert.equal(theirs.status, 200)
      const forged = job.upload_url.replace(job.id, (theirs.json as { data: Job }).data.id)
      assert.equal((await put(forged, '1')).status, 404)
      assert.equal((await put(`${job.upload_url.slice(0, -2)}AA`, '1')).status, 404)
      assert.equal((await put(job.download_url.replace('downloads', 'uploads'), '1')).status, 404)
      await put(job.upload_url, '')
      await run()
    })

    test('two jobs that are created at the same time: one is rejected', async () => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => call('POST', '/2/compliance/jobs', { type: 'posts' })),
      )
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
      const taken = replies.find(({ status }) => status === 200)?.json as { data: Job } | undefined
      const job = taken?.data ?? assert.fail('no job was created')
      // Two uploads at once: one is taken.
      const puts = await Promise.all([put(job.upload_url, '5'), put(job.upload_url, '6')])
      assert.deepEqual(puts.map(({ status }) => status).sort(), [200, 409])
      await run()
      assert.equal((await download(job)).length, 1)
    })

    test('a run that was broken off leaves no trace: the next one repeats the part', async () => {
      const job = await create({ type: 'posts' })
      await put(job.upload_url, '1\n2')
      const { store, files } = opened.plaza.context
      const signal = AbortSignal.abort()
      const kind = jobProcessing({ store, files, clock: opened.plaza.context.clock })
      await assert.rejects(kind.run({ job: job.id, app: '1' }, { attempt: 1, signal }))
      assert.equal((await get(job.id)).status, 'in_progress')
      await run()
      assert.deepEqual(
        (await download(job)).map(({ id }) => id),
        ['1', '2'],
      )
    })

    test('after 7 days a job is gone, with its files', async () => {
      const { store } = opened.plaza.context
      const job = await create({ type: 'users' })
      await put(job.upload_url, '123456')
      await run()
      await sweepMedia(opened.plaza.context)
      assert.equal((await download(job)).length, 1)
      const [file] = await store.all(storedFiles, {})
      assert.ok(file)
      advance(7 * DAY_MS)
      assert.equal((await client.send('GET', job.download_url)).status, 403)
      await opened.plaza.tasks.runDue(REMOVE)
      assert.deepEqual(await store.all(storedFiles, {}), [])
      await sweepMedia(opened.plaza.context)
      assert.equal(await store.first(mediaFile, file), undefined)
      assert.equal((await client.send('GET', job.download_url)).status, 403)
      const { json } = await call('GET', `/2/compliance/jobs/${job.id}`)
      assert.equal((json as { errors: unknown[] }).errors.length, 1)
    })
  })
}
