import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../src/context.ts'
import { suspectedFiles } from '../../src/core/media/queries.ts'
import { appendSegment, finalizeUpload, openUpload, uploadWhole } from '../../src/core/media/uploads.ts'
import { forgetMedia, workOnMedia } from '../../src/core/media/work.ts'
import type { FileStore } from '../../src/store/files/files.ts'
import { queryPlans } from '../../src/store/query-plans.ts'
import { newPerson } from '../support/ads-desk.ts'
import { gif, mp4, png, uploaded } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import type { Opened } from '../support/stages.ts'
import { stages } from '../support/stages.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const ROOM = 20_000

const refused = (message: RegExp) => (error: Error) =>
  message.test(`${error.message} ${JSON.stringify(error)}`)

test('what the media of a user take is added up in an index alone', () => {
  const plan = queryPlans()
    .find(({ name }) => name === 'bytesOfOwner')
    ?.plan.join()
  assert.match(plan ?? '', /COVERING INDEX/)
})

test('what was being written when its process was killed goes after some hours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-files-'))
  const opened = await startPlaza({ data: folder })
  try {
    const incoming = join(folder, 'media', 'incoming')
    const now = opened.clock.now()
    for (const [name, hours] of Object.entries({ old: 7, young: 1 })) {
      await writeFile(join(incoming, name), 'half')
      const touched = new Date(now - hours * HOUR_MS)
      await utimes(join(incoming, name), touched, touched)
    }
    await forgetMedia(opened.context)
    assert.deepEqual(await readdir(incoming), ['young'])
  } finally {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }
})

for (const stage of stages) {
  describe(`room for media on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    const context = () => opened.plaza.context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', mediaPerUser: ROOM })
    })
    after(() => opened?.close())

    /** The same Plaza, and the files that were written while it is asked. */
    const watched = () => {
      const written: string[] = []
      const { files } = context()
      const watching: FileStore = {
        ...files,
        async put(content, claim) {
          const kept = await files.put(content, claim)
          written.push(kept.hash)
          return kept
        },
      }
      return { written, context: { ...context(), files: watching } as Context }
    }
    const open = (userId: string, bytes: number) =>
      openUpload(
        { category: undefined, contentType: 'video/mp4', bytes, owners: [] },
        { userId, context: context() },
      )
    /** A clip of about so many bytes. */
    const clip = (bytes: number) => mp4(64, 36, { bytes })

    test('a file that its owner has no room for is never written', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      await open(userId, ROOM)
      const { written, context: watching } = watched()
      const upload = uploadWhole(
        { content: png(2, 2), category: undefined, owners: [] },
        { userId, context: watching },
      )
      await assert.rejects(upload, refused(/room/))
      assert.deepEqual(written, [])
    })

    test('a file that could not be written takes no room', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const files = { ...context().files, put: () => Promise.reject(new Error('no disk')) }
      const wanted = { content: png(2, 2), category: undefined, owners: [] }
      const upload = uploadWhole(wanted, { userId, context: { ...context(), files } as Context })
      await assert.rejects(upload, /no disk/)
      assert.ok(await open(userId, ROOM))
    })

    test('a segment beyond what was announced is never written', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const { id: mediaId } = await open(userId, 100)
      const { written, context: watching } = watched()
      const append = (index: number, bytes: number) =>
        appendSegment({ mediaId, index }, Buffer.alloc(bytes, index), { userId, context: watching })
      await append(0, 60)
      await assert.rejects(append(1, 41), refused(/segment|announced/))
      assert.equal(written.length, 1)
      // One that is sent again takes the place of the first.
      await append(0, 100)
      assert.equal(written.length, 2)
    })

    test('a segment that another took the place of goes with the next sweep', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const { id: mediaId } = await open(userId, 100)
      const { written, context: watching } = watched()
      for (const fill of [1, 2])
        await appendSegment({ mediaId, index: 0 }, Buffer.alloc(99, fill), { userId, context: watching })
      await forgetMedia(context())
      const [first = '', second = ''] = written
      assert.equal(await context().files.size(first), undefined)
      assert.equal(await context().files.size(second), 99)
    })

    test('a file that was refused once it was joined goes with the next sweep', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = Buffer.alloc(500, 7)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content.subarray(0, 200), at)
      await appendSegment({ mediaId, index: 1 }, content.subarray(200), at)
      const joined: string[] = []
      const files: FileStore = {
        ...context().files,
        async join(hashes, claim) {
          const kept = await context().files.join(hashes, claim)
          joined.push(kept.hash)
          return kept
        },
      }
      const finalize = finalizeUpload(mediaId, { userId, context: { ...context(), files } as Context })
      await assert.rejects(finalize, refused(/image|readable/))
      assert.equal(await context().files.size(joined[0] ?? ''), 500)
      await forgetMedia(context())
      assert.equal(await context().files.size(joined[0] ?? ''), undefined)
    })

    test('files are looked at when what used them goes, and only then', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const medium = await uploaded(context(), userId, gif(4, 4))
      await workOnMedia(context())
      const looked = async () => {
        const at = { now: context().clock.now(), limit: 1000 }
        return (await context().store.write((tx) => tx.all(suspectedFiles, at))).map(({ hash }) => hash)
      }
      opened.plaza.clock.advance(2 * HOUR_MS)
      await forgetMedia(context())
      assert.deepEqual(await looked(), [])
      opened.plaza.clock.advance(2 * HOUR_MS)
      assert.deepEqual(await looked(), [], 'a file in use is not looked at again')
      assert.ok(await context().files.size(medium.hash ?? ''))
      opened.plaza.clock.advance(DAY_MS)
      await forgetMedia(context())
      assert.equal(await context().files.size(medium.hash ?? ''), undefined)
    })

    test('two who finish an upload at once are told the same', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      const [one, two] = await Promise.all([finalizeUpload(mediaId, at), finalizeUpload(mediaId, at)])
      assert.ok(one.hash)
      assert.equal(two.hash, one.hash)
    })
  })
}
