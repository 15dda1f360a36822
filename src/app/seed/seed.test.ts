import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { START_MS, startPlaza } from '../../../test/support/plaza.ts'
import { stages } from '../../../test/support/stages.ts'
import { createUser, prepareUser } from '../../identity/users/users.ts'
import { ManualClock } from '../../platform/common/clock.ts'

describe('a seed', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-seed-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('that the database contradicts fails the start, which creates nothing', async () => {
    const [data, seed] = [join(folder, 'data'), join(folder, 'seed.json')]
    const users = ['bob', 'Ann'].map((screen_name) => ({
      screen_name,
      name: screen_name,
      password: 'secret',
    }))
    await writeFile(seed, JSON.stringify({ users }))
    // Later each time, so that no id is the same.
    let starts = 0
    const start = (seed: string) =>
      startPlaza({ data, seed }, { clock: new ManualClock(START_MS + ++starts * 60_000) })
    const first = await start('none')
    const row = await prepareUser({ screenName: 'ann', name: 'Ann', password: 'secret' }, first.context)
    await first.context.store.write((tx) => createUser(tx, row))
    await first.close()
    await assert.rejects(
      start(seed),
      /^Error: The database already has a user, key or token of the seed \(.*\)\. Remove it from the seed, or start with --seed=none\.$/,
    )
    await writeFile(seed, JSON.stringify({ users: users.slice(0, 1) }))
    const last = await start(seed)
    assert.deepEqual(
      last.seeded?.users.map(({ screenName }) => screenName),
      ['bob'],
    )
    await last.close()
  })

  for (const stage of stages.filter(({ shared }) => shared))
    test(`is written once by nodes that start at once on ${stage.name}`, { skip: stage.skip }, async () => {
      const seed = join(folder, 'shared.json')
      await writeFile(seed, JSON.stringify({ users: [{ screen_name: 'ann', name: 'Ann' }] }))
      const opened = await stage.open({ seed })
      try {
        for (const outcome of await Promise.allSettled([opened.second(), opened.second()])) {
          assert.equal(outcome.status, 'fulfilled')
          assert.deepEqual(outcome.value.seeded, opened.plaza.seeded)
        }
      } finally {
        await opened.close()
      }
    })
})
