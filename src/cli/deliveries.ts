import { isoTime } from '../common/time.ts'
import type { LoggedAttempt } from '../deliveries/attempt.ts'
import type { Target } from '../deliveries/queries.ts'
import { deliveryBySeq, deliveryTarget, pageOfDeliveries, pageOfDeliveriesTo } from '../deliveries/queries.ts'
import type { ResendProblem } from '../deliveries/resend.ts'
import { resendDelivery } from '../deliveries/resend.ts'
import { SIGNATURE_HEADER, signature } from '../deliveries/signature.ts'
import { DELIVERY_STATES } from '../deliveries/states.ts'
import { consumerSecretOf } from '../identity/credentials.ts'
import type { Sealer } from '../storage/seal.ts'
import type { Store } from '../storage/store.ts'
import type { DeliveryRow } from '../storage/tables.ts'
import type { Call, Flags } from './command.ts'
import { UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
import { vocabularyOf } from './words.ts'

const PAGE = 200
const DEFAULT_LIMIT = 50

/** `plaza deliveries list`. */
export async function list({ flags, config }: Call): Promise<number> {
  const webhook = flags.text('webhook')
  const state = stateOf(flags)
  let left = limitOf(flags)
  const before = flags.text('before')
  const seq = before === undefined ? undefined : seqOf(before)
  await withInstallation(config, async ({ store }) => {
    const start = await startOf(store, seq)
    for await (const row of newestFirst(store, webhook, start)) {
      if (state !== undefined && row.state !== state) continue
      console.log(flags.on('json') ? JSON.stringify(asData(row)) : asLine(row))
      if (--left === 0) return
    }
  })
  return 0
}

function stateOf(flags: Flags): string | undefined {
  const state = flags.text('state')
  if (state !== undefined && !DELIVERY_STATES.some((one) => one === state))
    throw new UsageError(`--state is one of ${DELIVERY_STATES.join(', ')}, not "${state}"`)
  return state
}

function limitOf(flags: Flags): number {
  const text = flags.text('limit') ?? String(DEFAULT_LIMIT)
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new UsageError(`--limit is a whole number from 1, not "${text}"`)
  return Number(text)
}

type Start = Pick<DeliveryRow, 'seq' | 'created_at'>

/** Where a list begins: after a delivery that an earlier list ended with. */
async function startOf(store: Store, seq: number | undefined): Promise<Start> {
  if (seq === undefined) return { seq: Number.MAX_SAFE_INTEGER, created_at: Number.MAX_SAFE_INTEGER }
  const row = await store.first(deliveryBySeq, { seq })
  if (!row) throw new Error(`There is no delivery ${seq} (any more).`)
  return row
}

/** Deliveries to all webhooks or to one, page by page. */
async function* newestFirst(
  store: Store,
  webhook: string | undefined,
  start: Start,
): AsyncGenerator<DeliveryRow> {
  let { seq: before, created_at: created } = start
  for (;;) {
    const rows =
      webhook === undefined
        ? await store.all(pageOfDeliveries, { before, limit: PAGE })
        : await store.all(pageOfDeliveriesTo, { webhook, created, before, limit: PAGE })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    before = last.seq
    created = last.created_at
  }
}

const attemptsOf = ({ log }: DeliveryRow) => JSON.parse(log) as readonly LoggedAttempt[]

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

/** What a consumer answered must not control the terminal. */
const printable = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `plaza deliveries show`. */
export const show = ({ flags, positionals, config }: Call): Promise<number> =>
  withInstallation(config, async ({ store, sealer }) => {
    const [id = ''] = positionals
    const row = await store.first(deliveryBySeq, { seq: seqOf(id) })
    if (!row) {
      console.error(`plaza: there is no delivery ${id}`)
      return 1
    }
    const target = await store.first(deliveryTarget, { webhook: row.webhook_id })
    const shown = {
      ...asData(row),
      url: target?.url ?? null,
      signed: { header: vocabularyOf(config).header(SIGNATURE_HEADER), value: signed(row, target, sealer) },
      body: row.body,
    }
    console.log(flags.on('json') ? JSON.stringify(shown) : asText(row, shown))
    return 0
  })

/** With the secret that is in force. Null when the webhook, and with it the secret, is gone. */
const signed = ({ body }: DeliveryRow, target: Target | undefined, sealer: Sealer): string | null =>
  target
    ? signature(
        consumerSecretOf(
          { id: target.app_id, consumer_secret_sealed: target.consumer_secret_sealed },
          sealer,
        ),
        body,
      )
    : null

interface Shown {
  url: string | null
  signed: { header: string; value: string | null }
}

const asText = (row: DeliveryRow, { url, signed: { header, value } }: Shown): string =>
  [
    `Delivery ${row.seq} of event ${row.event_id} to webhook ${row.webhook_id}: ${row.state}`,
    `To         ${url ?? 'a webhook that was deleted'}`,
    `Created    ${isoTime(row.created_at)}`,
    ...(row.resent_at === null ? [] : [`Resent     ${isoTime(row.resent_at)}`]),
    row.ended_at === null ? `Due        ${isoTime(row.due_at)}` : `Ended      ${isoTime(row.ended_at)}`,
    ...(value === null ? [] : [`Signature  ${header}: ${value}`]),
    `Body       ${printable(row.body)}`,
    ...attemptsOf(row).flatMap((attempt, index) => [
      `Attempt ${index + 1}  ${isoTime(attempt.at)}  ${answerOf(attempt)}${attempt.replay === undefined ? '' : `, in replay ${attempt.replay}`}`,
      ...(attempt.answer === undefined ? [] : [`           ${printable(attempt.answer)}`]),
    ]),
  ].join('\n')

const PROBLEMS: Readonly<Record<ResendProblem, string>> = {
  'no delivery': 'there is no such delivery',
  'no webhook': 'its webhook was deleted',
  'suspended app': 'the app of its webhook is suspended',
  'invalid webhook': 'its webhook is not valid: PUT /2/webhooks/{webhook_id} checks it again',
}

/** `plaza deliveries resend`. */
export async function resend({ flags, positionals, config }: Call): Promise<number> {
  const ids: string[] = []
  const problems: { id: string; problem: string }[] = []
  const wanted = positionals.map((id) => ({ id, seq: seqOf(id) }))
  await withInstallation(config, async ({ store }) => {
    for (const { id, seq } of wanted) {
      const problem = await resendDelivery(store, seq)
      if (problem === undefined) ids.push(id)
      else problems.push({ id, problem: PROBLEMS[problem] })
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
