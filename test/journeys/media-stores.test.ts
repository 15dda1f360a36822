import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { openFiles } from '../../src/app/start/state.ts'
import { mediaByIds } from '../../src/domain/media/queries.ts'
import { configOf, readConfig } from '../../src/platform/config/config.ts'
import type { FileStore } from '../../src/platform/storage/files/files.ts'
import { StoreUnavailable } from '../../src/platform/storage/store.ts'
import { newPerson } from '../support/ads-desk.ts'
import { type Bucket, openBucket } from '../support/bucket.ts'
import { Client } from '../support/client.ts'
import { png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'

const MB = 1024 * 1024
const noClaim = async () => undefined
const nameOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Where files can be kept. */
const places = {
  async memory() {
    return { files: await openFiles(configOf({ memory: true }), undefined), close: noClaim }
  },
  async folder() {
    const folder = await mkdtemp(join(tmpdir(), 'plaza-files-'))
    const files = await openFiles(configOf({ media: folder }), undefined)
    return { files, close: () => rm(folder, { recursive: true, force: true }) }
  },
  async bucket() {
    const bucket = await openBucket()
    return { files: await openFiles(configOf(bucket.settings), undefined), close: bucket.close }
  },
}

for (const [place, open] of Object.entries(places)) {
  describe(`files in a ${place}`, () => {
    let files: FileStore
    let close: () => Promise<unknown>

    before(async () => {
      const opened = await open()
      files = opened.files
      close = opened.close
    })
    after(async () => {
      files?.close()
      await close?.()
    })

    const streamed = async (hash: string, start: number, end: number) => {
      const chunks: Buffer[] = []
      for await (const chunk of files.stream(hash, start, end)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    }

    test('are named by their content, and read from any place', async () => {
      const content = Buffer.from('0123456789')
      const claimed: unknown[] = []
      const kept = await files.put(content, async (file) => void claimed.push(file))
      assert.deepEqual(kept, { hash: nameOf(content), bytes: 10 })
      assert.deepEqual(claimed, [kept])
      assert.equal(await files.size(kept.hash), 10)
      for (const [start, end, text] of [
        [0, 10, '0123456789'],
        [0, 2, '01'],
        [3, 7, '3456'],
        [8, 99, '89'],
        [10, 20, ''],
        [4, 4, ''],
      ] as const)
        assert.equal(String(await files.read(kept.hash, start, end)), text, `read ${start} to ${end}`)
      for (const [start, end, text] of [
        [0, 10, '0123456789'],
        [0, 2, '01'],
        [9, 10, '9'],
      ] as const)
        assert.equal(String(await streamed(kept.hash, start, end)), text, `stream ${start} to ${end}`)
    })

    test('are kept once, however often they come', async () => {
      const content = Buffer.from('twice')
      const [one, two] = await Promise.all([files.put(content, noClaim), files.put(content, noClaim)])
      assert.deepEqual(one, two)
      await files.remove(one.hash)
      assert.equal(await files.size(one.hash), undefined)
    })

    test('whose claim is rejected are not kept', async () => {
      const content = Buffer.from('rejected')
      const put = files.put(content, () => Promise.reject(new Error('no')))
      await assert.rejects(put, /no/)
      assert.equal(await files.size(nameOf(content)), undefined)
    })

    test('are joined in the order that is asked for', async () => {
      const parts = [Buffer.alloc(3 * MB, 1), Buffer.alloc(2 * MB + 1, 2), Buffer.from('end')]
      const kept = await Promise.all(parts.map((part) => files.put(part, noClaim)))
      const joined = await files.join(
        kept.map(({ hash }) => hash),
        noClaim,
      )
      const whole = Buffer.concat(parts)
      assert.deepEqual(joined, { hash: nameOf(whole), bytes: whole.length })
      assert.equal(await files.size(joined.hash), whole.length)
      assert.ok(whole.equals(await streamed(joined.hash, 0, whole.length)))
      assert.equal(String(await files.read(joined.hash, whole.length - 4, whole.length)), '\u0002end')
    })

    test('of one part are that part', async () => {
      const { hash } = await files.put(Buffer.from('one part'), noClaim)
      const claimed: string[] = []
      const joined = await files.join([hash], async (file) => void claimed.push(file.hash))
      assert.deepEqual(joined, { hash, bytes: 8 })
      assert.deepEqual(claimed, [hash])
    })

    test('have one mark, which stays', async () => {
      assert.equal(await files.mark(), undefined)
      assert.equal(await files.putMark('one database'), 'one database')
      assert.equal(await files.putMark('another'), 'one database')
      assert.equal(await files.mark(), 'one database')
    })

    test('that do not exist have no size and can be removed', async () => {
      const hash = nameOf(Buffer.from('never'))
      assert.equal(await files.size(hash), undefined)
      await files.remove(hash)
      await files.removePassing(Date.now())
    })
  })
}

describe('an object store', { skip: process.env.PLAZA_TEST_BUCKET !== undefined }, () => {
  let bucket: Bucket
  before(async () => {
    bucket = await openBucket()
  })
  after(() => bucket?.close())

  test('a missing bucket or wrong credentials are reported at the start', async () => {
    await assert.rejects(
      startPlaza({ ...bucket.settings, media: 's3://other-pictures' }),
      (error) => error instanceof StoreUnavailable && /s3:\/\/other-pictures.*404/.test(error.message),
    )
    const { AWS_SECRET_ACCESS_KEY: secret } = process.env
    process.env.AWS_SECRET_ACCESS_KEY = 'another'
    try {
      await assert.rejects(startPlaza(bucket.settings), /s3:\/\/pictures.*403/)
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = secret
    }
  })

  test('that becomes unavailable makes uploads wait, and leaves nothing half-written', async () => {
    const content = png(30, 20)
    const plaza = await startPlaza({
      ...bucket.settings,
      mediaPerUser: content.length,
      rateLimits: 'off',
    })
    const client = new Client(plaza)
    try {
      const ann = await newPerson(plaza)
      const form = { media_data: content.toString('base64') }
      const send = () => client.signed('POST', '/1.1/media/upload.json', ann.keys, { form })
      await bucket.down()
      const rejected = await send()
      assert.deepEqual([rejected.status, rejected.text.includes('"code":130')], [503, true], rejected.text)
      await bucket.up()
      const taken = await send()
      assert.equal(taken.status, 200, taken.text)
      await bucket.down()
      const { media_key: key } = taken.json as { media_key: string }
      const [medium] = await plaza.context.store.all(mediaByIds, { ids: JSON.stringify([key.slice(2)]) })
      assert.equal((await client.send('GET', `/media/${medium?.hash}.png`)).status, 503)
      await bucket.up()
      assert.equal((await client.send('GET', `/media/${medium?.hash}.png`)).status, 200)
    } finally {
      await client.close()
      await plaza.close()
    }
  })
})

/**
 * Object stores that another node marks at the same time: what they answer to a conditional write,
 * and the mark then.
 */
const conditionalWrites = [
  ['that have conditional writes keep the first mark', 412, 'that of another node'],
  ['that have none are marked all the same', 501, 'that of this node'],
] as const
for (const [what, status, expected] of conditionalWrites)
  test(`object stores ${what}`, async (t) => {
    let stored: string | undefined
    const server = createServer(async (asked, reply) => {
      const body = await text(asked)
      if (asked.method === 'GET' && stored !== undefined) return reply.end(stored)
      if (asked.method === 'GET') return reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
      if (asked.headers['if-none-match'] !== '*') {
        stored = body
        return reply.end()
      }
      if (status === 412) stored = 'that of another node'
      return reply.writeHead(status).end(`<Error><Code>Status${status}</Code></Error>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const bucket = await openBucket()
    t.after(() => bucket.close())
    const files = await openFiles(
      configOf({ ...bucket.settings, mediaEndpoint: `http://127.0.0.1:${port}` }),
      undefined,
    )
    t.after(() => files.close())
    assert.equal(await files.putMark('that of this node'), expected)
    assert.equal(await files.mark(), expected)
  })

test('the settings of an object store are checked', () => {
  for (const [flags, message] of [
    [['--media', 's3://UPPER'], /--media must be a folder, or a bucket such as/],
    [['--media', 's3://bucket/a//b'], /--media must be a folder/],
    [['--media', 's3://bucket/../b'], /--media must be a folder/],
    [['--media-endpoint', 'http://localhost:9000'], /--media-endpoint needs a bucket/],
    [['--media', 's3://bucket', '--media-endpoint', 'localhost:9000'], /--media-endpoint must be a URL/],
    [['--media', 's3://bucket', '--media-region', 'Not One'], /--media-region must be the name/],
  ] as const)
    assert.throws(() => readConfig([...flags], {}), { message })
  assert.equal(readConfig(['--media', 's3://bucket/a/b.c'], {}).media, 's3://bucket/a/b.c')
})
