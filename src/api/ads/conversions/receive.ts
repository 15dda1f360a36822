import { Type } from 'typebox'
import { nextBase36 } from '../../../platform/common/ids.ts'
import { uuid } from '../../../platform/common/random.ts'
import { msg } from '../../../platform/http/message.ts'
import { RawJson } from '../../../platform/http/reply.ts'
import { base36, closedComponent } from '../../../platform/http/schema.ts'
import { AdsApiError, adsErrorsOf, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { accountScope } from '../accounts/scope.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { lockSource, sourceById } from '../web-event-tags/queries.ts'
import { Body, type Conversion } from './body.ts'
import { type CheckedConversion, checkConversion } from './check.ts'
import { addConversions, markTracked, sameConversions, tagsOfConversions } from './queries.ts'
import type { ConversionRow } from './tables.ts'

/** A conversion that is reported again within this time is not counted again. */
const SAME_MS = 48 * 3_600_000

export const receiveConversions = adsEndpoint({
  id: 'receiveConversions',
  method: 'POST',
  path: '/measurement/conversions/{pixel_id}',
  summary: 'Report conversions',
  description:
    'Records what happened on the website of an advertiser: all conversions, or none if one is wrong. A conversion that was reported within the last 48 hours with the same tag and `conversion_id` is counted once.',
  source: 'Line item update parameters (reference: conversions)',
  limits: { limits: { user: '60000/15m' } },
  params: { pixel_id: base36('The event source: `website_tag_id` of a web event tag.') },
  body: Body,
  maxBodyBytes: 2_000_000,
  codes: ['ACCOUNT_NOT_FOUND', 'ACTION_NOT_ALLOWED', 'NOT_FOUND'],
  data: closedComponent('ConversionsReceived', {
    conversions_processed: Type.Integer({ minimum: 0, description: 'Conversions that were accepted.' }),
    debug_id: Type.String({ description: 'Id of this request.' }),
  }),
  async handle({ host, principal, params: { pixel_id: id }, body }, context) {
    const source = await sourceOf(id, { host, userId: principal.userId }, context)
    const request = JSON.stringify({
      params: { [context.naming.vocabulary.name('account_id')]: source.account_id },
    })
    await context.store.write(async (tx) => {
      await tx.first(lockSource, { id: source.id })
      const checked = await checkAll(body.conversions, { source, request }, tx, context.clock.now())
      await store(checked, source.account_id, tx, context)
    })
    const data = { conversions_processed: body.conversions.length, debug_id: uuid(context.random) }
    return { data, request: new RawJson(request) }
  },
})

interface Source {
  readonly id: string
  readonly account_id: string
}

/** The event source. One that the user may not use does not exist for the user. */
async function sourceOf(
  id: string,
  { host, userId }: { host: string; userId: string },
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<Source> {
  const source = await store.first(sourceById, { id: id.toLowerCase() })
  if (source) {
    const accountId = source.account_id
    try {
      await accountScope({ store, host }, { userId }, { right: 'campaigns', accountId, deletedToo: false })
      return source
    } catch (error) {
      const [first] = adsErrorsOf(error)
      if (first?.code !== 'ACCOUNT_NOT_FOUND') throw error
    }
  }
  throw rejected('pixel_id', msg`Event source ${id} was not found`, 'NOT_FOUND')
}

/** Throws the errors of all conversions, each of them once. */
async function checkAll(
  sent: readonly Conversion[],
  { source, request }: { source: Source; request: string },
  tx: Transaction,
  nowMs: number,
): Promise<CheckedConversion[]> {
  const named = sent.flatMap(({ event_id }) => (event_id ? [event_id.toLowerCase().split('-').at(-1)] : []))
  const found = await tx.all(tagsOfConversions, { account: source.account_id, tags: JSON.stringify(named) })
  const at = { source, tags: new Set(found.map(({ id }) => id)), nowMs }
  const checked: CheckedConversion[] = []
  const errors = new Map<string, AdsError>()
  for (const one of sent) {
    const result = checkConversion(one, at)
    if (Array.isArray(result)) for (const error of result) errors.set(JSON.stringify(error), error)
    else checked.push(result)
  }
  if (errors.size > 0) throw new AdsApiError({ errors: [...errors.values()], request })
  return checked
}

async function store(
  checked: readonly CheckedConversion[],
  account: string,
  tx: Transaction,
  { ids, clock }: Pick<AdsDependencies, 'ids' | 'clock'>,
): Promise<void> {
  const now = clock.now()
  const tags = JSON.stringify([...new Set(checked.map(({ web_event_tag_id }) => web_event_tag_id))])
  const names = JSON.stringify(checked.flatMap(({ conversion_id }) => conversion_id ?? []))
  const known = await tx.all(sameConversions, { tags, names, since: now - SAME_MS })
  const seen = new Set(known.map(keyOf))
  const fresh = checked.filter((one) => {
    const key = keyOf(one)
    if (one.conversion_id === null) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const rows = fresh.map((one) => ({ id: nextBase36(ids), account_id: account, received_at: now, ...one }))
  await addConversions(tx, rows)
  await tx.run(markTracked, { account, tags, now })
}

const keyOf = ({
  web_event_tag_id,
  conversion_id,
}: Pick<ConversionRow, 'web_event_tag_id' | 'conversion_id'>) => `${web_event_tag_id} ${conversion_id}`
