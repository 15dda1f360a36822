import { DELIVERY_STATES } from '../../delivery/webhooks/states.ts'
import type { Config } from '../../platform/config/config.ts'
import { AdminError, callAdmin, callWhole } from '../admin-client.ts'
import type { AdminTarget } from '../admin-target.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { printList } from './list.ts'
import { numberOf } from './values.ts'

const PAGE = 200
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 999_999_999

/** A delivery, as the admin API shows one. */
interface Delivery {
  id: string
  webhook_id: string
  event_id: string
  state: string
  created_at: string
  resent_at?: string
  due_at?: string
  ended_at?: string
  attempts: Attempt[]
}

interface Attempt {
  at: string
  ms: number
  signature?: string
  status?: number
  answer?: string
  error?: string
  replay?: string
}

/** `plaza deliveries list`. */
export async function list({ flags, config }: Call): Promise<number> {
  const webhook = flags.text('webhook')
  const state = stateOf(flags)
  const limit = numberOf(flags, 'limit', DEFAULT_LIMIT, MAX_LIMIT)
  const before = flags.text('before')
  const start = before === undefined ? undefined : idOf(before)
  const filters = {
    ...(webhook !== undefined && { webhook_id: webhook }),
    ...(state !== undefined && { state }),
  }
  const isFiltered = webhook !== undefined || state !== undefined || before !== undefined
  const of = isFiltered ? 'such deliveries' : 'deliveries'
  await withAdmin(config, (admin) =>
    printList(flags, newestFirst(admin, filters, { start, limit }), {
      of,
      asData: (one) => one,
      asText: asLine,
    }),
  )
  return 0
}

/** The first deliveries, page by page. */
async function* newestFirst(
  admin: AdminTarget,
  filters: Record<string, string>,
  { start, limit }: { start: string | undefined; limit: number },
): AsyncGenerator<Delivery> {
  let left = limit
  for (let token = start; left > 0; ) {
    const place = token === undefined ? {} : { pagination_token: token }
    const query = new URLSearchParams({ ...filters, ...place, limit: String(Math.min(left, PAGE)) })
    const { data, meta } = await callWhole<Delivery[]>(admin, 'GET', `/deliveries?${query}`)
    yield* data
    left -= data.length
    if (meta?.next_token === undefined) return
    token = String(meta.next_token)
  }
}

function stateOf(flags: Flags): string | undefined {
  const state = flags.text('state')
  if (state !== undefined && !DELIVERY_STATES.some((one) => one === state))
    throw new UsageError(`--state is one of ${DELIVERY_STATES.join(', ')}, not "${state}"`)
  return state
}

function asLine(one: Delivery): string {
  const { attempts } = one
  const last = attempts.at(-1)
  const count = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`
  const parts = [one.id, one.created_at, one.state.padEnd(9), `webhook ${one.webhook_id}`, count]
  return [...parts, ...(last ? [`last: ${answerOf(last)}`] : [])].join('  ')
}

const answerOf = ({ status, error, ms }: Attempt) => `${status ?? printable(error ?? '')} after ${ms} ms`

/** The response of a consumer must not control the terminal. */
const printable = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface WholeDelivery extends Delivery {
  url: string | null
  signed: { header: string; value: string | null }
  body: string
}

/** `plaza deliveries show`. */
export async function show({ flags, positionals: [id = ''], config }: Call): Promise<number> {
  const shown = await withAdmin(config, (admin) =>
    callAdmin<WholeDelivery>(admin, 'GET', `/deliveries/${idOf(id)}`),
  )
  console.log(flags.on('json') ? JSON.stringify(shown) : asText(shown))
  return 0
}

const asText = (one: WholeDelivery): string =>
  [
    `Delivery ${one.id} of event ${one.event_id} to webhook ${one.webhook_id}: ${one.state}`,
    `To         ${one.url ?? 'a webhook that was deleted'}`,
    `Created    ${one.created_at}`,
    ...(one.resent_at === undefined ? [] : [`Resent     ${one.resent_at}`]),
    one.ended_at === undefined ? `Due        ${one.due_at}` : `Ended      ${one.ended_at}`,
    `Body       ${printable(one.body)}`,
    ...one.attempts.flatMap((attempt, index) => [
      `Attempt ${index + 1}  ${attempt.at}  ${answerOf(attempt)}${attempt.replay === undefined ? '' : `, in replay ${attempt.replay}`}`,
      ...(attempt.signature === undefined ? [] : [`           ${one.signed.header}: ${attempt.signature}`]),
      ...(attempt.answer === undefined ? [] : [`           ${printable(attempt.answer)}`]),
    ]),
  ].join('\n')

/** `plaza deliveries resend`. */
export async function resend({ flags, positionals, config }: Call): Promise<number> {
  const wanted = positionals.map(idOf)
  const { ids, problems } = await resendAll(wanted, config)
  if (flags.on('json')) console.log(JSON.stringify({ resent: ids, problems }))
  else {
    console.log(`Sending ${ids.length} ${ids.length === 1 ? 'delivery' : 'deliveries'} again.`)
    for (const { id, problem } of problems) console.error(`${id}: ${problem}`)
  }
  return problems.length > 0 ? 1 : 0
}

function resendAll(wanted: readonly string[], config: Config) {
  const ids: string[] = []
  const problems: { id: string; problem: string }[] = []
  return withAdmin(config, async (admin) => {
    for (const id of wanted)
      try {
        await callAdmin(admin, 'POST', `/deliveries/${id}/resend`)
        ids.push(id)
      } catch (error) {
        if (!(error instanceof AdminError && error.parameters.includes('delivery_id'))) throw error
        problems.push({ id, problem: error.message })
      }
    return { ids, problems }
  })
}

function idOf(id: string): string {
  if (!/^[0-9]{1,15}$/.test(id)) throw new UsageError(`"${id}" is not the id of a delivery`)
  return id
}
