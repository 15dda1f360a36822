import type { LoggedAttempt } from '../../delivery/webhooks/attempt.ts'
import {
  attemptsOf,
  deliveriesAfter,
  type ListPlace,
  placeAfter,
  signaturesOf,
} from '../../delivery/webhooks/listing.ts'
import { deliveryBySeq, deliveryTarget } from '../../delivery/webhooks/queries.ts'
import { RESEND_PROBLEMS, resendDelivery } from '../../delivery/webhooks/resend.ts'
import { SIGNATURE_HEADER } from '../../delivery/webhooks/signature.ts'
import { DELIVERY_STATES } from '../../delivery/webhooks/states.ts'
import type { DeliveryRow } from '../../delivery/webhooks/tables.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { printList } from './list.ts'
import { numberOf } from './values.ts'
import { vocabularyOf } from './words.ts'

const PAGE = 200
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 999_999_999

/** `plaza deliveries list`. */
export async function list({ flags, config }: Call): Promise<number> {
  const webhook = flags.text('webhook')
  const state = stateOf(flags)
  const limit = numberOf(flags, 'limit', DEFAULT_LIMIT, MAX_LIMIT)
  const before = flags.text('before')
  const seq = before === undefined ? undefined : seqOf(before)
  await withInstallation(config, async ({ store }) => {
    const start = await placeAfter(store, seq)
    if (!start) throw new Error(`Delivery ${before} does not exist, or has been removed.`)
    const rows = firstOf(newestFirst(store, webhook, start), { state, limit })
    const isFiltered = webhook !== undefined || state !== undefined || before !== undefined
    const of = isFiltered ? 'such deliveries' : 'deliveries'
    await printList(flags, rows, { of, asData, asText: asLine })
  })
  return 0
}

/** The first deliveries, of one state or of all. */
async function* firstOf(
  rows: AsyncIterable<DeliveryRow>,
  { state, limit }: { state: string | undefined; limit: number },
): AsyncGenerator<DeliveryRow> {
  let left = limit
  for await (const row of rows) {
    if (state !== undefined && row.state !== state) continue
    yield row
    if (--left === 0) return
  }
}

function stateOf(flags: Flags): string | undefined {
  const state = flags.text('state')
  if (state !== undefined && !DELIVERY_STATES.some((one) => one === state))
    throw new UsageError(`--state is one of ${DELIVERY_STATES.join(', ')}, not "${state}"`)
  return state
}

/** Deliveries to one webhook or to all, page by page. */
async function* newestFirst(
  store: Store,
  webhook: string | undefined,
  start: ListPlace,
): AsyncGenerator<DeliveryRow> {
  for (let place = start; ; ) {
    const rows = await deliveriesAfter(store, { webhook, place, limit: PAGE })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    place = last
  }
}

const asData = (row: DeliveryRow) => ({
  id: String(row.seq),
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  state: row.state,
  created_at: isoTime(row.created_at),
  ...(row.resent_at !== null && { resent_at: isoTime(row.resent_at) }),
  ...(row.ended_at === null && { due_at: isoTime(row.due_at) }),
  ...(row.ended_at !== null && { ended_at: isoTime(row.ended_at) }),
  attempts: attemptsOf(row).map(({ at, ms, ...attempt }) => ({ at: isoTime(at), ms, ...attempt })),
})

function asLine(row: DeliveryRow): string {
  const attempts = attemptsOf(row)
  const last = attempts.at(-1)
  const count = `${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`
  const parts = [row.seq, isoTime(row.created_at), row.state.padEnd(9), `webhook ${row.webhook_id}`, count]
  return [...parts, ...(last ? [`last: ${answerOf(last)}`] : [])].join('  ')
}

const answerOf = ({ status, error, ms }: LoggedAttempt) =>
  `${status ?? printable(error ?? '')} after ${ms} ms`

/** The response of a consumer must not control the terminal. */
const printable = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `plaza deliveries show`. */
export const show = ({ flags, positionals, config }: Call): Promise<number> =>
  withInstallation(config, async ({ store }) => {
    const [id = ''] = positionals
    const row = await store.first(deliveryBySeq, { seq: seqOf(id) })
    if (!row) {
      console.error(`plaza: There is no delivery ${id}. "plaza deliveries list" lists the deliveries.`)
      return 1
    }
    const target = await store.first(deliveryTarget, { webhook: row.webhook_id })
    const shown = {
      ...asData(row),
      url: target?.url ?? null,
      signed: {
        header: vocabularyOf(config).header(SIGNATURE_HEADER),
        value: signaturesOf(row).at(-1) ?? null,
      },
      body: row.body,
    }
    console.log(flags.on('json') ? JSON.stringify(shown) : asText(row, shown))
    return 0
  })

interface DeliveryReport {
  url: string | null
  signed: { header: string; value: string | null }
}

const asText = (row: DeliveryRow, { url, signed: { header } }: DeliveryReport): string =>
  [
    `Delivery ${row.seq} of event ${row.event_id} to webhook ${row.webhook_id}: ${row.state}`,
    `To         ${url ?? 'a webhook that was deleted'}`,
    `Created    ${isoTime(row.created_at)}`,
    ...(row.resent_at === null ? [] : [`Resent     ${isoTime(row.resent_at)}`]),
    row.ended_at === null ? `Due        ${isoTime(row.due_at)}` : `Ended      ${isoTime(row.ended_at)}`,
    `Body       ${printable(row.body)}`,
    ...attemptsOf(row).flatMap((attempt, index) => [
      `Attempt ${index + 1}  ${isoTime(attempt.at)}  ${answerOf(attempt)}${attempt.replay === undefined ? '' : `, in replay ${attempt.replay}`}`,
      ...(attempt.signature === undefined ? [] : [`           ${header}: ${attempt.signature}`]),
      ...(attempt.answer === undefined ? [] : [`           ${printable(attempt.answer)}`]),
    ]),
  ].join('\n')

/** `plaza deliveries resend`. */
export async function resend({ flags, positionals, config }: Call): Promise<number> {
  const ids: string[] = []
  const problems: { id: string; problem: string }[] = []
  const wanted = positionals.map((id) => ({ id, seq: seqOf(id) }))
  await withInstallation(config, async ({ store }) => {
    for (const { id, seq } of wanted) {
      const problem = await resendDelivery(store, { seq })
      if (problem === undefined) ids.push(id)
      else problems.push({ id, problem: RESEND_PROBLEMS[problem] })
    }
  })
  if (flags.on('json')) console.log(JSON.stringify({ resent: ids, problems }))
  else {
    console.log(`Sending ${ids.length} ${ids.length === 1 ? 'delivery' : 'deliveries'} again.`)
    for (const { id, problem } of problems) console.error(`${id}: ${problem}`)
  }
  return problems.length > 0 ? 1 : 0
}

function seqOf(id: string): number {
  if (!/^[0-9]{1,15}$/.test(id)) throw new UsageError(`"${id}" is not the id of a delivery`)
  return Number(id)
}
