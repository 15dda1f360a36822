import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { makePost } from '../../../../test/support/posts.ts'
import { type Opened, stages } from '../../../../test/support/stages.ts'
import { settled, until } from '../../../../test/support/until.ts'
import { createApp } from '../../../identity/apps/apps.ts'
import { emit } from '../../../platform/events/log.ts'
import { Tail } from '../../../platform/events/tail.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { StreamConnection } from '../connections/connection.ts'
import { streamRulesChanged } from '../events.ts'
import { addRule, rulesByIds } from '../queries.ts'
import { namesOf } from '../rules.ts'
import type { PostFormat } from './formats.ts'
import { PostStreams } from './post-streams.ts'
import { RuleSets } from './rule-sets.ts'

/** A line contains the ids of the post and of its rules. */
const format: PostFormat = {
  key: 'ids',
  async *write(ids) {
    for (const id of ids) yield [id, id] as const
  },
  line: (post, rules) => [post, ...rules.map(({ id }) => id).sort()].join(' '),
}

for (const stage of stages) {
  describe(`apps whose rules change, on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let authorId: string
    let slowApp: string
    let otherApp: string
    let streams: PostStreams
    let tail: Tail
    let errors: string[]
    let ends: (() => void)[]
    /** What reading the rules of the slow app waits for. */
    let gate: Promise<void>

    before(async () => {
      opened = await stage.open()
      authorId = opened.plaza.seeded?.users[0]?.id ?? ''
      slowApp = await newApp('Slow Boat')
      otherApp = await newApp('Other Boat')
    })
    after(() => opened?.close())
    beforeEach(() => {
      const { store, clock, naming } = opened.plaza.context
      errors = []
      ends = []
      gate = Promise.resolve()
      const onError = (error: unknown) => void errors.push(String(error))
      const slowly: Pick<Store, 'all'> = {
        async all(query, args) {
          if ((query as unknown) === rulesByIds && (args as { app?: string }).app === slowApp) await gate
          return store.all(query, args)
        },
      }
      const names = namesOf(naming.vocabulary)
      const rules = new RuleSets({
        store: slowly,
        stream: 'filtered',
        names,
        onUnreadable: () => assert.fail(),
      })
      tail = new Tail({ store, onError })
      const shown = { add: () => undefined }
      streams = new PostStreams({
        ...{ store, clock, mediaOrigin: '', stream: 'filtered', rules, shown, tail, onError },
      })
    })
    afterEach(async () => {
      for (const end of ends) end()
      await tail.close()
      await streams.close()
    })

    async function newApp(name: string): Promise<string> {
      const { context } = opened.plaza
      const rest = { website: 'https://boat.example/', callbacks: [], signIn: false } as const
      const app = { name, ownerUserId: authorId, permission: 'read', kind: 'web', ...rest } as const
      return (await context.store.write((tx) => createApp(tx, app, context))).id
    }
    /** Opens a stream of an app. Resolves to the lines that it receives. */
    async function open(appId: string): Promise<string[]> {
      const lines: string[] = []
      const over = Promise.withResolvers<void>()
      ends.push(over.resolve)
      const push = ({ text }: { text: string }) => void lines.push(text.trim())
      const connection = { appId, isOpen: true, over: over.promise, push } as unknown as StreamConnection
      await streams.add({ app: { id: appId, ownerUserId: authorId }, connection, format })
      return lines
    }
    const add = (app: string, value: string) => {
      const { store, ids } = opened.plaza.context
      const id = ids.next()
      return store.write(async (tx) => {
        const row = { app_id: app, stream: 'filtered', value, tag: null, fingerprint: id }
        await tx.run(addRule, { id, ...row, created_at: tx.now })
        await emit(tx, streamRulesChanged, { app_id: app, stream: 'filtered' })
        return id
      })
    }
    const post = async (text: string) => (await makePost(opened.plaza.context, { authorId, text })).id

    test('wait for their rules alone, and receive every post once, in order, by the new rules', async () => {
      const slowHeron = await add(slowApp, 'heron')
      const otherHeron = await add(otherApp, 'heron')
      const slow = await open(slowApp)
      const other = await open(otherApp)
      const waiting = Promise.withResolvers<void>()
      gate = waiting.promise
      const slowStork = await add(slowApp, 'stork')
      const [first, stork, second] = [await post('a heron'), await post('a stork'), await post('heron')]
      await until('the other app has its posts', () => other.length === 2)
      assert.deepEqual(other, [`${first} ${otherHeron}`, `${second} ${otherHeron}`])
      assert.deepEqual(slow, [])
      waiting.resolve()
      await until('the slow app has its posts', () => slow.length === 3)
      const third = await post('a last heron')
      await until('both have the last post', () => slow.length + other.length === 7)
      assert.deepEqual(slow, [
        `${first} ${slowHeron}`,
        `${stork} ${slowStork}`,
        `${second} ${slowHeron}`,
        `${third} ${slowHeron}`,
      ])
      assert.deepEqual(errors, [])
    })

    test('receive what follows a second change by the rules of that change', async () => {
      await add(slowApp, 'crane')
      await add(otherApp, 'ibis')
      const slow = await open(slowApp)
      const other = await open(otherApp)
      const first = Promise.withResolvers<void>()
      gate = first.promise
      await add(slowApp, 'egret')
      await post('an ibis')
      await until('the other app has the first post', () => other.length === 1)
      const second = Promise.withResolvers<void>()
      gate = second.promise
      const gull = await add(slowApp, 'gull')
      const id = await post('a gull and an ibis')
      await until('the other app has the second post', () => other.length === 2)
      first.resolve()
      await settled()
      assert.deepEqual(slow, [])
      second.resolve()
      await until('the slow app has the post', () => slow.length > 0)
      assert.deepEqual(slow, [`${id} ${gull}`])
    })

    test('receive posts of more events than are read at once', async () => {
      const rule = await add(slowApp, 'tern')
      await add(otherApp, 'tern')
      const slow = await open(slowApp)
      const other = await open(otherApp)
      const waiting = Promise.withResolvers<void>()
      gate = waiting.promise
      await add(slowApp, 'skua')
      const first = await post('a tern')
      const others = { app_id: otherApp, stream: 'powerstream' }
      await opened.plaza.context.store.write(async (tx) => {
        for (let n = 0; n < 1_100; n++) await emit(tx, streamRulesChanged, others)
      })
      const last = await post('a last tern')
      await until('the other app has its posts', () => other.length === 2)
      assert.deepEqual(slow, [])
      waiting.resolve()
      await until('the slow app has its posts', () => slow.length >= 2)
      assert.deepEqual(slow, [`${first} ${rule}`, `${last} ${rule}`])
    })

    test('wait while their rules cannot be read, which is reported', async () => {
      await add(slowApp, 'rail')
      await add(otherApp, 'coot')
      const slow = await open(slowApp)
      const other = await open(otherApp)
      gate = Promise.reject(new Error('no database'))
      gate.catch(() => undefined)
      const rule = await add(slowApp, 'coot')
      const id = await post('a coot')
      await until('the other app has the post', () => other.length === 1)
      await until('two attempts failed', () => errors.length >= 2)
      assert.deepEqual(slow, [])
      gate = Promise.resolve()
      await until('the slow app has the post', () => slow.length > 0)
      assert.deepEqual(slow, [`${id} ${rule}`])
      assert.deepEqual([...new Set(errors)], ['Error: no database'])
    })

    test('receive nothing more once streams are closed, which waits for the reading in progress', async () => {
      await add(slowApp, 'swift')
      await add(otherApp, 'swift')
      const slow = await open(slowApp)
      const other = await open(otherApp)
      const waiting = Promise.withResolvers<void>()
      gate = waiting.promise
      await add(slowApp, 'martin')
      await post('a swift')
      await until('the other app has the post', () => other.length === 1)
      await tail.close()
      let isClosed = false
      const closing = streams.close().then(() => {
        isClosed = true
      })
      await settled()
      assert.equal(isClosed, false)
      waiting.resolve()
      await closing
      assert.deepEqual([slow, errors], [[], []])
    })
  })
}
