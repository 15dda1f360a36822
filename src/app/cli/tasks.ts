import { nearest } from '../../platform/common/nearest.ts'
import { declaredKinds } from '../../platform/queue/task.ts'
import { AdminError, callAdmin, listAdmin } from '../admin-client.ts'
import type { AdminTarget } from '../admin-target.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'

const DEAD_LETTERS = '/tasks/dead_letters'

interface TaskCount {
  kind: string
  state: string
  count: number
}

/** A dead letter as the admin API shows it. */
interface ShownLetter {
  id: string
  kind: string
  payload: unknown
  reason: string
  attempts: number
  failed_at: string
}

const countsOf = (admin: AdminTarget) => callAdmin<TaskCount[]>(admin, 'GET', '/tasks/counts')

/** `plaza tasks count`. */
export async function count({ flags, config }: Call): Promise<number> {
  await printList(flags, await withAdmin(config, countsOf), {
    of: 'tasks',
    asData: (counted) => counted,
    asText: ({ kind, state, count }) => `${String(count).padStart(9)}  ${state.padEnd(7)}  ${kind}`,
  })
  return 0
}

/** `plaza tasks list`. */
export async function list({ flags, config }: Call): Promise<number> {
  await withAdmin(config, async (admin) => {
    const kind = await kindOf(flags, admin)
    const of = kind === undefined ? 'dead letters' : `dead letters of the kind ${kind}`
    await printList(flags, deadLetters(admin, kind), { of, asData: (letter) => letter, asText })
  })
  return 0
}

/**
 * The value of `--kind`: a kind that this version has, or of which an earlier version left tasks.
 */
async function kindOf(flags: Flags, admin: AdminTarget): Promise<string | undefined> {
  const kind = flags.text('kind')
  if (kind === undefined) return undefined
  if ((await countsOf(admin)).some((one) => one.kind === kind)) return kind
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
const deadLetters = (admin: AdminTarget, kind: string | undefined) =>
  listAdmin<ShownLetter>(
    admin,
    kind === undefined ? DEAD_LETTERS : `${DEAD_LETTERS}?kind=${encodeURIComponent(kind)}`,
  )

const asText = ({ id, kind, payload, reason, attempts, failed_at }: ShownLetter) =>
  [
    `${id}  ${kind}  ${failed_at}  ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    `    ${reason}`,
    `    ${JSON.stringify(payload)}`,
  ].join('\n')

/** `plaza tasks retry`. */
export const retry = (call: Call) =>
  withDeadLetters(call, 'Retried', (id, admin) => callAdmin(admin, 'POST', `${DEAD_LETTERS}/${id}/retry`))

/** `plaza tasks discard`. */
export const discard = (call: Call) =>
  withDeadLetters(call, 'Discarded', (id, admin) => callAdmin(admin, 'DELETE', `${DEAD_LETTERS}/${id}`))

/** Changes dead letters by id, or all of a kind. */
async function withDeadLetters(
  { flags, positionals, config }: Call,
  done: 'Retried' | 'Discarded',
  change: (id: string, admin: AdminTarget) => Promise<unknown>,
): Promise<number> {
  if ((flags.text('kind') === undefined) === (positionals.length === 0))
    throw new UsageError('either ids of dead letters or --kind is required')
  const wrong = positionals.find((id) => !/^[0-9]{1,15}$/.test(id))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not the id of a task`)
  const ids: string[] = []
  const problems: { id: string; problem: string }[] = []
  await withAdmin(config, async (admin) => {
    const kind = await kindOf(flags, admin)
    for await (const one of kind === undefined ? positionals : deadLetters(admin, kind)) {
      const id = typeof one === 'string' ? one : one.id
      try {
        await change(id, admin)
        ids.push(id)
      } catch (error) {
        if (!(error instanceof AdminError)) throw error
        problems.push({
          id,
          problem: error.status === 404 ? 'the dead letter does not exist' : error.message,
        })
      }
    }
  })
  if (flags.on('json')) console.log(JSON.stringify({ [done.toLowerCase()]: ids, problems }))
  else console.log(`${done} ${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}.`)
  if (!flags.on('json')) for (const { id, problem } of problems) console.error(`${id}: ${problem}`)
  return problems.length > 0 ? 1 : 0
}
