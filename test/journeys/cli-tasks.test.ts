import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { removeRows } from '../../src/api/ads/catalogs/tasks.ts'
import { query } from '../../src/app/tables.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { enqueue } from '../../src/platform/queue/enqueue.ts'
import { openStore } from '../../src/platform/storage/open.ts'
import { runPlaza, type Started, smallSeedFlag, startCli } from './cli.fixture.ts'

// What an operator does about tasks beside the server that another user started.

interface DeadLetter {
  id: string
  kind: string
  reason: string
  attempts: number
  payload: unknown
  failed_at: string
}

const killTasks = query<{ reason: string; now: number }>('killTasks', (db, at) =>
  db
    .updateTable('tasks')
    .set({ state: 'dead', reason: at.reason, attempts: 50, due_at: at.now })
    .where('kind', '=', removeRows.name)
    .where('state', '=', 'waiting'),
)

/** Leaves dead letters behind, and tasks that wait. */
async function leave({ data }: Started, { dead, waiting }: { dead: string[]; waiting: string[] }) {
  const location = { kind: 'file', path: join(data, 'plaza.db') } as const
  const store = await openStore(location, { clock: systemClock, onError: () => undefined })
  const later = systemClock.now() + 3_600_000
  const tasks = (ids: string[]) => ids.map((id) => removeRows.task({ of: 'set', id, user: '1' }, later))
  try {
    await store.write(async (tx) => {
      await enqueue(tx, ...tasks(dead))
      await tx.run(killTasks, { reason: 'the disk is full', now: Date.UTC(2026, 2, 1) })
      await enqueue(tx, ...tasks(waiting))
    })
  } finally {
    await store.close()
  }
}

async function lines<T>(t: TestContext, { data }: Started, ...args: string[]): Promise<T[]> {
  const { code, stdout, stderr } = await runPlaza(t, ['tasks', ...args, `--data=${data}`, '--json'])
  assert.equal(code, 0, stderr)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

test('dead letters are counted, listed, retried and discarded while the server runs', async (t) => {
  const plaza = await startCli(t, { args: [smallSeedFlag(t)] })
  await leave(plaza, { dead: ['1', '2', '3'], waiting: ['3', '4'] })
  const counts = await lines<{ kind: string; state: string; count: number }>(t, plaza, 'count')
  assert.deepEqual(
    counts.filter(({ kind }) => kind === 'remove catalog rows'),
    [
      { kind: 'remove catalog rows', state: 'dead', count: 3 },
      { kind: 'remove catalog rows', state: 'waiting', count: 2 },
    ],
  )
  const letters = await lines<DeadLetter>(t, plaza, 'list', '--kind=remove catalog rows')
  assert.deepEqual(
    letters.map(({ kind, reason, attempts, payload, failed_at }) => [
      kind,
      reason,
      attempts,
      payload,
      failed_at,
    ]),
    ['1', '2', '3'].map((id) => [
      'remove catalog rows',
      'the disk is full',
      50,
      { of: 'set', id, user: '1' },
      '2026-03-01T00:00:00.000Z',
    ]),
  )
  const [first, second, third] = letters.map(({ id }) => id) as [string, string, string]
  const flag = `--data=${plaza.data}`
  const retried = await runPlaza(t, ['tasks', 'retry', first, third, '999', flag, '--json'])
  assert.deepEqual(
    [retried.code, JSON.parse(retried.stdout)],
    [
      1,
      {
        retried: [first],
        problems: [
          { id: third, problem: 'a newer task already does the same: discard this one' },
          { id: '999', problem: 'the dead letter does not exist' },
        ],
      },
    ],
  )
  const shown = await runPlaza(t, ['tasks', 'list', flag])
  assert.match(
    shown.stdout,
    new RegExp(
      `^${second}  remove catalog rows  2026-03-01T00:00:00.000Z  50 attempts\n    the disk is full\n    \\{"of":"set","id":"2","user":"1"\\}\n`,
    ),
  )
  const discarded = await runPlaza(t, ['tasks', 'discard', '--kind=remove catalog rows', flag])
  assert.deepEqual([discarded.code, discarded.stdout], [0, 'Discarded 2 tasks.\n'])
  const empty = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPlaza(t, [...args, flag])
    return [code, stdout, stderr]
  }
  assert.deepEqual(await empty('tasks', 'list'), [0, '', 'There are no dead letters.\n'])
  assert.deepEqual(await empty('tasks', 'list', '--json'), [0, '', ''])
  // A kind without tasks is a kind all the same.
  assert.deepEqual(await empty('tasks', 'list', '--kind=announce space'), [
    0,
    '',
    'There are no dead letters of the kind announce space.\n',
  ])
  assert.deepEqual(await empty('tasks', 'discard', '--kind=announce space'), [0, 'Discarded 0 tasks.\n', ''])
  assert.deepEqual(await empty('deliveries', 'list'), [0, '', 'There are no deliveries.\n'])
  assert.deepEqual(await empty('space', 'list', '--state=live'), [0, '', 'There are no live spaces.\n'])
  assert.deepEqual(await lines(t, plaza, 'list'), [])
})

test('a kind of task that does not exist is a mistake', async (t) => {
  const plaza = await startCli(t)
  for (const verb of ['list', 'retry', 'discard']) {
    const { code, stdout, stderr } = await runPlaza(t, [
      ...['tasks', verb, '--kind=remove catalog row'],
      `--data=${plaza.data}`,
    ])
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(
      stderr,
      /^plaza: --kind: there is no kind of task "remove catalog row"\. Did you mean "remove catalog rows"\?/,
    )
  }
  const { code, stderr } = await runPlaza(t, ['tasks', 'discard', '--kind=x', `--data=${plaza.data}`])
  assert.equal(code, 2)
  assert.match(stderr, /there is no kind of task "x"\. "plaza tasks count" lists those that there are\./)
})

test('which dead letters are meant has to be said, once', async (t) => {
  const plaza = await startCli(t)
  for (const args of [['retry'], ['discard', '1', '--kind=x'], ['retry', 'x']]) {
    const { code, stderr } = await runPlaza(t, ['tasks', ...args, `--data=${plaza.data}`])
    assert.equal(code, 2, stderr)
  }
})
