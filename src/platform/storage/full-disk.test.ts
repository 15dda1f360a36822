import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { mountSmallDisk, NO_SMALL_DISK } from '../../../test/support/small-disk.ts'
import { until } from '../../../test/support/until.ts'
import { branchesOf } from '../../domain/search/index/branches.ts'
import type { SearchChange } from '../../domain/search/index/search-index.ts'
import { SearchDatabase } from '../../domain/search/index/sqlite-database.ts'
import { systemClock } from '../common/clock.ts'
import { CHECKPOINTS } from './checkpointer.ts'
import { putSetting, settingByName } from './settings.ts'
import { openSqlite } from './sqlite.ts'
import { StoreUnavailable } from './store.ts'

const disk = mountSmallDisk(8)
const SETTINGS = 50
/** Fewer rows than trigger a checkpoint. */
const FEW = CHECKPOINTS.rowsBetween - SETTINGS
/** Each value takes some pages of the log. */
const LENGTH = 20_000

describe('the embedded store on a disk that is full', { skip: disk ? false : NO_SMALL_DISK }, () => {
  after(() => disk?.[Symbol.dispose]())
  const open = () => openSqlite(join(disk?.folder ?? '', 'plaza.db'), { clock: systemClock })

  test('because of its own log, takes writes again once the log is in the database', async () => {
    // Overwriting pages of the database needs no more space, except in the log.
    const made = await open()
    await Promise.all(
      Array.from({ length: SETTINGS }, (_, n) =>
        made.write((tx) => putSetting(tx, `${n}`, 'x'.repeat(LENGTH))),
      ),
    )
    await made.close()
    const store = await open()
    const valueFor = (n: number) => `${n} `.repeat(LENGTH).slice(0, LENGTH)
    let written = 0
    const write = async () => {
      const name = `${written % SETTINGS}`
      await store.write((tx) => putSetting(tx, name, valueFor(written)))
      return ++written
    }
    await assert.rejects(async () => {
      for (let n = 0; n < FEW; n++) await write()
    }, StoreUnavailable)
    let rejected = 0
    await until('a write succeeds', () => write().catch(() => void rejected++))
    assert.ok(written + rejected < CHECKPOINTS.rowsBetween, `${rejected} more were rejected`)
    for (let n = 0; n < SETTINGS; n++) await write()
    await store.close()
    const again = await open()
    for (let n = written - SETTINGS; n < written; n++) {
      const row = await again.first(settingByName, { name: `${n % SETTINGS}` })
      assert.equal(row?.value, valueFor(n))
    }
    await again.close()
  })

  test('leaves the search index as it was, and it can be written again once there is space', () => {
    const index = new SearchDatabase(join(disk?.folder ?? '', 'search.db'))
    const put = (id: number, words: number): SearchChange => ({
      kind: 'put',
      document: {
        id: `${id}`,
        words: Array.from({ length: words }, (_, word) => `w${id}x${word}`),
        links: [],
        terms: ['kept'],
        numbers: { likes: 0, replies: 0, reposts: 0 },
      },
    })
    const found = () =>
      index
        .find(
          {
            branches: branchesOf({ kind: 'term', term: 'kept' }),
            window: { from: '0', before: '1000' },
            candidates: 10,
          },
          10,
        )
        .found.map(({ id }) => id)
    index.clear()
    index.apply([put(1, 10)])
    index.finish()
    disk?.fill()
    const isFull = /disk is full|disk I\/O error/
    assert.throws(() => index.apply([put(2, 200_000)]), isFull)
    assert.throws(() => {
      for (let n = 0; n < 100; n++) index.clear()
    }, isFull)
    disk?.free()
    const isCleared = index.state() === 'new'
    assert.deepEqual(found(), isCleared ? [] : ['1'])
    index.clear()
    index.apply([put(3, 10)])
    assert.deepEqual(found(), ['3'])
    index.close()
  })
})
