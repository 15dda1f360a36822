import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Context } from '../../src/app/start/context.ts'
import { candidateFiles, mediaById } from '../../src/domain/media/queries.ts'
import { appendSegment, finalizeUpload, openUpload, uploadWhole } from '../../src/domain/media/uploads.ts'
import { collectUnused, fileDeletion } from '../../src/domain/media/work.ts'
import type { FileStore } from '../../src/platform/storage/files/files.ts'
import { queryPlans } from '../../src/platform/storage/query-plans.ts'
import { newPerson } from '../support/ads-desk.ts'
import { gif, mp4, png, uploaded } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'
import { processMedia, runKinds, sweepMedia } from '../support/tasks.ts'
import { until } from '../support/until.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const ROOM = 20_000

const rejected = (message: RegExp) => (error: Error) =>
  message.test(`${error.message} ${JSON.stringify(error)}`)

test('the size of the media of a user is summed from an index only', () => {
  const plan = queryPlans()
    .find(({ name }) => name === 'bytesOfOwner')
    ?.plan.join()
  assert.match(plan ?? '', /COVERING INDEX/)
})

test('partial files of a killed process are removed after some hours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-files-'))
  const opened = await startPlaza({ data: folder })
  try {
    const incoming = join(folder, 'media', 'incoming')
    const now = opened.clock.now()
    for (const [name, hours] of Object.entries({ old: 7, new: 1 })) {
      await writeFile(join(incoming, name), 'half')
      const touched = new Date(now - hours * HOUR_MS)
      await utimes(join(incoming, name), touched, touched)
    }
    await sweepMedia(opened.context)
    assert.deepEqual(await readdir(incoming), ['new'])
  } finally {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }
})

for (const stage of stages) {
  describe(`media quota on ${stage.name}`, { skip: stage.skip }, () => {
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
        { category: undefined, contentType: 'video/mp4', bytes, owners: [], shared: false },
        { userId, context: context() },
      )
    /** A clip of about so many bytes. */
    const clip = (bytes: number) => mp4(64, 36, { bytes })

    test('a file beyond the quota of its owner is never written', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      await open(userId, ROOM)
      const { written, context: watching } = watched()
      const upload = uploadWhole(
        { content: png(2, 2), category: undefined, owners: [], shared: false },
        { userId, context: watching },
      )
      await assert.rejects(upload, rejected(/quota/))
      assert.deepEqual(written, [])
    })

    test('uploads that were begun and left use no quota after half an hour', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const [first, second] = [await open(userId, ROOM / 2), await open(userId, ROOM / 2)]
      await assert.rejects(open(userId, 1), rejected(/quota/))
      opened.plaza.clock.advance(HOUR_MS / 2 - 1)
      await appendSegment({ mediaId: first.id, index: 0 }, Buffer.alloc(9), { userId, context: context() })
      opened.plaza.clock.advance(1)
      // Nothing removed the second one yet.
      assert.ok(await open(userId, ROOM / 2))
      await assert.rejects(open(userId, 1), rejected(/quota/))
      await sweepMedia(context())
      assert.ok(await context().store.first(mediaById, { id: first.id }))
      assert.equal(await context().store.first(mediaById, { id: second.id }), undefined)
    })

    test('an upload does not expire while it is being finished', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      opened.plaza.clock.advance(HOUR_MS / 2 - 1)
      const slow = withFiles(({ join: joining }) => ({
        async join(hashes, claim) {
          opened.plaza.clock.advance(30_000)
          await sweepMedia(context())
          return joining(hashes, claim)
        },
      }))
      assert.ok((await finalizeUpload(mediaId, { userId, context: slow })).hash)
      // From now on, it is kept for a day.
      opened.plaza.clock.advance(DAY_MS - 1)
      assert.ok(await context().store.first(mediaById, { id: mediaId }))
    })

    test('a file that could not be written uses no quota', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const files = { ...context().files, put: () => Promise.reject(new Error('no disk')) }
      const wanted = { content: png(2, 2), category: undefined, owners: [], shared: false }
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
      await assert.rejects(append(1, 41), rejected(/segment|announced/))
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
      await sweepMedia(context())
      const [first = '', second = ''] = written
      assert.equal(await context().files.size(first), undefined)
      assert.equal(await context().files.size(second), 99)
    })

    test('a file that was rejected once it was joined goes with the next sweep', async () => {
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
      await assert.rejects(finalize, rejected(/image|readable/))
      assert.equal(await context().files.size(joined[0] ?? ''), 500)
      await sweepMedia(context())
      assert.equal(await context().files.size(joined[0] ?? ''), undefined)
    })

    test('files are looked at when what used them goes, and only then', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const medium = await uploaded(context(), userId, gif(4, 4))
      await processMedia(context())
      const looked = async () => {
        const at = { now: context().clock.now(), limit: 1000 }
        return (await context().store.write((tx) => tx.all(candidateFiles, at))).map(({ hash }) => hash)
      }
      opened.plaza.clock.advance(2 * HOUR_MS)
      await sweepMedia(context())
      assert.deepEqual(await looked(), [])
      opened.plaza.clock.advance(2 * HOUR_MS)
      assert.deepEqual(await looked(), [], 'a file in use is not looked at again')
      assert.ok(await context().files.size(medium.hash ?? ''))
      opened.plaza.clock.advance(DAY_MS)
      await sweepMedia(context())
      assert.equal(await context().files.size(medium.hash ?? ''), undefined)
    })

    /** The same Plaza, some of whose files do something else. */
    const withFiles = (other: (files: FileStore) => Partial<FileStore>) => {
      const { files } = context()
      return { ...context(), files: { ...files, ...other(files) } } as Context
    }

    test('an upload is joined once, however many ask for it at once', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      await appendSegment({ mediaId, index: 0 }, content, { userId, context: context() })
      let joins = 0
      const counting = withFiles(({ join: joining }) => ({
        join(hashes, claim) {
          joins++
          return joining(hashes, claim)
        },
      }))
      const finish = () => finalizeUpload(mediaId, { userId, context: counting })
      const finished = await Promise.allSettled(Array.from({ length: 5 }, finish))
      assert.equal(joins, 1)
      const { hash } = await finish()
      assert.equal(joins, 1)
      for (const one of finished)
        if (one.status === 'fulfilled') assert.equal(one.value.hash, hash)
        else assert.ok(rejected(/is being finished/)(one.reason), String(one.reason))
      assert.ok(finished.some(({ status }) => status === 'fulfilled'))
    })

    test('a segment that arrives while its upload is being finished is rejected, and changes nothing', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      const late: unknown[] = []
      const appending = withFiles(({ join: joining }) => ({
        async join(hashes, claim) {
          const other = Buffer.alloc(content.length, 7)
          late.push(await appendSegment({ mediaId, index: 0 }, other, at).catch((error: unknown) => error))
          return joining(hashes, claim)
        },
      }))
      const { hash } = await finalizeUpload(mediaId, { userId, context: appending })
      assert.equal(late.length, 1)
      assert.ok(late[0] instanceof Error && rejected(/is being finished/)(late[0]), String(late[0]))
      assert.deepEqual(await context().files.read(hash ?? '', 0, content.length), content)
    })

    test('an upload is claimed for as long as finishing it takes', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      const { clock } = opened.plaza
      let joins = 0
      const slow = withFiles(({ join: joining }) => ({
        async join(hashes, claim) {
          joins++
          for (let seconds = 0; seconds < 200; seconds += 40) {
            clock.advance(40_000)
            await until('a renewal, and the wait for the next', async () => {
              const row = await context().store.first(mediaById, { id: mediaId })
              const isRenewed = row?.finishing_until === clock.now() + 60_000
              return isRenewed && clock.awaited.includes(clock.now() + 30_000)
            })
          }
          const late = appendSegment({ mediaId, index: 0 }, Buffer.alloc(content.length, 7), at)
          await assert.rejects(late, rejected(/is being finished/))
          await assert.rejects(finalizeUpload(mediaId, at), rejected(/is being finished/))
          return joining(hashes, claim)
        },
      }))
      const { hash } = await finalizeUpload(mediaId, { userId, context: slow })
      assert.equal(joins, 1)
      assert.deepEqual(await context().files.read(hash ?? '', 0, content.length), content)
    })

    test('a segment that was taken after the claim was lost is in the file', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const [content, other] = [clip(500), mp4(80, 48, { bytes: 500 })]
      const { id: mediaId } = await open(userId, Math.max(content.length, other.length))
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      const pausing = withFiles(({ join: joining }) => ({
        async join(hashes, claim) {
          // As on a machine that slept.
          opened.plaza.clock.advance(60_001)
          await appendSegment({ mediaId, index: 0 }, other, at)
          return joining(hashes, claim)
        },
      }))
      const finishing = finalizeUpload(mediaId, { userId, context: pausing })
      await assert.rejects(finishing, rejected(/is being finished/))
      const { hash } = await finalizeUpload(mediaId, at)
      assert.deepEqual(await context().files.read(hash ?? '', 0, other.length), other)
    })

    test('a finished upload is processed at once', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const { id } = await uploaded(context(), userId, clip(500))
      await processMedia(context())
      assert.equal((await context().store.first(mediaById, { id }))?.state, 'READY')
    })

    test('an upload whose file could not be written can be finished again', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = clip(500)
      const { id: mediaId } = await open(userId, content.length)
      const at = { userId, context: context() }
      await appendSegment({ mediaId, index: 0 }, content, at)
      const broken = withFiles(() => ({ join: () => Promise.reject(new Error('no disk')) }))
      await assert.rejects(finalizeUpload(mediaId, { userId, context: broken }), /no disk/)
      assert.ok((await finalizeUpload(mediaId, at)).hash)
    })

    test('an upload that turns out to be nothing uses no quota, and is not joined again', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const at = { userId, context: context() }
      const content = Buffer.alloc(ROOM, 9)
      const { id: mediaId } = await open(userId, content.length)
      await appendSegment({ mediaId, index: 0 }, content, at)
      await assert.rejects(finalizeUpload(mediaId, at), rejected(/readable/))
      await assert.rejects(finalizeUpload(mediaId, at), rejected(/media not found/))
      assert.ok(await open(userId, ROOM))
      await sweepMedia(context())
      assert.equal(await context().files.size(createHash('sha256').update(content).digest('hex')), undefined)
    })

    test('a file that one node deleted and that came back is not deleted by another', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const content = png(7, 7)
      const { hash } = await uploaded(context(), userId, content)
      opened.plaza.clock.advance(DAY_MS + 1)
      await collectUnused(context())
      const slow = fileDeletion(context())
      let isLate = false
      await runKinds(context(), {
        ...slow,
        concurrency: 1,
        async run(payload: { hash: string }, run) {
          // Its lease runs out while it is about to begin, and another node does it.
          if (payload.hash === hash) {
            opened.plaza.clock.advance(slow.leaseMs)
            await runKinds(context(), fileDeletion(context()))
            assert.equal(await context().files.size(payload.hash), undefined)
            await uploaded(context(), userId, content)
            isLate = true
          }
          return slow.run(payload, run)
        },
      })
      assert.ok(isLate)
      assert.equal(await context().files.size(hash ?? ''), content.length)
    })

    test('a file that cannot be taken away does not keep the others, and goes later', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const hashes: string[] = []
      for (let count = 0; count < 3; count++)
        hashes.push(String((await uploaded(context(), userId, png(8, 8))).hash))
      opened.plaza.clock.advance(DAY_MS + 1)
      let stuck: string | undefined
      const broken = withFiles(({ remove }) => ({
        async remove(hash) {
          if (hashes.includes(hash)) stuck ??= hash
          if (hash === stuck) throw new Error('a file that does not go')
          await remove(hash)
        },
      }))
      await sweepMedia(broken)
      const left = async () => {
        const sizes = await Promise.all(hashes.map((hash) => context().files.size(hash)))
        return hashes.filter((_, index) => sizes[index] !== undefined)
      }
      assert.deepEqual(await left(), [stuck])
      opened.plaza.clock.advance(HOUR_MS)
      await sweepMedia(context())
      assert.deepEqual(await left(), [])
    })

    test('a medium whose file cannot be read does not keep the others, and is tried again', async () => {
      const { id: userId } = await newPerson(opened.plaza)
      const media: string[] = []
      for (let count = 0; count < 3; count++) media.push((await uploaded(context(), userId, gif(5, 5))).id)
      let stuck: string | undefined
      const broken = withFiles(({ size }) => ({
        async size(hash) {
          stuck ??= hash
          if (hash === stuck) throw new Error('a file that is not read')
          return size(hash)
        },
      }))
      const states = async () =>
        (await Promise.all(media.map((id) => context().store.first(mediaById, { id })))).map(
          (row) => row?.state,
        )
      await processMedia(broken)
      assert.deepEqual((await states()).sort(), ['PENDING', 'READY', 'READY'])
      opened.plaza.clock.advance(61_000)
      await processMedia(context())
      assert.deepEqual(await states(), ['READY', 'READY', 'READY'])
    })
  })
}
