import { systemClock } from '../../platform/common/clock.ts'
import { nearest } from '../../platform/common/nearest.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Config } from '../../platform/config/config.ts'
import { channelOf } from '../../platform/queue/enqueue.ts'
import {
  countTasks,
  deadLetterById,
  pageOfDeadLetters,
  removeDeadLetter,
  reviveTask,
} from '../../platform/queue/queries.ts'
import type { TaskRow } from '../../platform/queue/tables.ts'
import { declaredKinds } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'

const PAGE = 200

/** `plaza tasks count`. */
export async function count({ flags, config }: Call): Promise<number> {
  const rows = await withInstallation(config, ({ store }) =>
    store.all(countTasks, { now: systemClock.now() }),
  )
  await printList(flags, rows, {
    of: 'tasks',
    asData: ({ kind, state, count }) => ({ kind, state, count: Number(count) }),
    asText: ({ kind, state, count }) => `${String(count).padStart(9)}  ${state.padEnd(7)}  ${kind}`,
  })
  return 0
}

/** `plaza tasks list`. */
export async function list({ flags, config }: Call): Promise<number> {
  const kind = await kindOf(flags, config)
  const of = kind === undefined ? 'dead letters' : `dead letters of the kind ${kind}`
  await withInstallation(config, ({ store }) =>
    printList(flags, deadLetters(store, kind), { of, asData, asText }),
  )
  return 0
}

/**
 * The value of `--kind`: a kind that this version has, or of which an earlier version left tasks.
 */
async function kindOf(flags: Flags, config: Config): Promise<string | undefined> {
  const kind = flags.text('kind')
  if (kind === undefined) return undefined
  const stored = await withInstallation(config, ({ store }) =>
    store.all(countTasks, { now: systemClock.now() }),
  )
  if (stored.some((one) => one.kind === kind)) return kind
  // Loads the module of every kind.
  await import('../server.ts')
  const kinds = declaredKinds()
  if (kinds.includes(kind)) return kind
  const guess = nearest(kind, kinds)
  throw new UsageError(
    `--kind: there is no kind of task "${kind}".${guess === undefined ? ' "plaza tasks count" lists those that there are.' : ` Did you mean "${guess}"?`}`,
  )
}

/** The dead letters, of one kind or of all, page by page. */
async function* deadLetters(store: Store, kind: string | undefined): AsyncGenerator<TaskRow> {
  for (let after = 0; ; ) {
    const rows = await store.all(pageOfDeadLetters, { after, limit: PAGE })
    yield* rows.filter((row) => kind === undefined || row.kind === kind)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

const asData = ({ id, kind, payload, reason, attempts, due_at, created_at }: TaskRow) => ({
  id: String(id),
  kind,
  payload: JSON.parse(payload),
  reason,
  attempts,
  created_at: isoTime(created_at),
  failed_at: isoTime(due_at),
})

const asText = ({ id, kind, payload, reason, attempts, due_at }: TaskRow) =>
  [
    `${id}  ${kind}  ${isoTime(due_at)}  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    `    ${reason}`,
    `    ${payload}`,
  ].join('\n')

/** `plaza tasks retry`. */
export const retry = (call: Call) =>
  withDeadLetters(call, 'Retried', async ({ id, kind }, store) => {
    const revived = await store.write(async (tx) => {
      tx.notify(channelOf(kind))
      return tx.run(reviveTask, { id, now: tx.now })
    })
    return revived > 0 ? undefined : 'a newer task already does the same: discard this one'
  })

/** `plaza tasks discard`. */
export const discard = (call: Call) =>
  withDeadLetters(call, 'Discarded', async ({ id }, store) => {
    await store.write((tx) => tx.run(removeDeadLetter, { id }))
    return undefined
  })

/** Processes dead letters by id, or all of a kind. `work` returns the reason of a failure. */
async function withDeadLetters(
  { flags, positionals, config }: Call,
  done: 'Retried' | 'Discarded',
  work: (row: TaskRow, store: Store) => Promise<string | undefined>,
): Promise<number> {
  const kind = await kindOf(flags, config)
  if ((kind === undefined) === (positionals.length === 0))
    throw new UsageError('either ids of dead letters or --kind is required')
  const ids: string[] = []
  const problems: { id: string; problem: string }[] = []
  await withInstallation(config, async ({ store }) => {
    const chosen = kind === undefined ? named(store, positionals) : deadLetters(store, kind)
    for await (const one of chosen) {
      const problem = typeof one === 'string' ? 'the dead letter does not exist' : await work(one, store)
      const id = typeof one === 'string' ? one : String(one.id)
      if (problem === undefined) ids.push(id)
      else problems.push({ id, problem })
    }
  })
  if (flags.on('json')) console.log(JSON.stringify({ [done.toLowerCase()]: ids, problems }))
  else console.log(`${done} ${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}.`)
  if (!flags.on('json')) for (const { id, problem } of problems) console.error(`${id}: ${problem}`)
  return problems.length > 0 ? 1 : 0
}

/** Dead letters by their ids. An id without one is returned as it is. */
async function* named(store: Store, ids: readonly string[]): AsyncGenerator<TaskRow | string> {
  for (const id of ids) {
    if (!/^[0-9]{1,15}$/.test(id)) throw new UsageError(`"${id}" is not the id of a task`)
    yield (await store.first(deadLetterById, { id: Number(id) })) ?? id
  }
}
