import { Type } from 'typebox'
import { cellsIn, earliestRow } from '../../../domain/ad-delivery/ledger.ts'
import { activity, activityEdges, type LedgerLevel } from '../../../domain/ad-delivery/queries.ts'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { msg, words } from '../../../platform/http/message.ts'
import { compileReply, RawJson } from '../../../platform/http/reply.ts'
import {
  base36,
  choice,
  closedComponent,
  closedObject,
  ids,
  instant,
  localInstant,
} from '../../../platform/http/schema.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { levelOf } from './figures.ts'
import { rejectFirst } from './parameters.ts'
import { knownEntities } from './queries.ts'
import { type Window, wholeHours, windowOf, wrongSpan } from './window.ts'

const MAX_DAYS = 90
const SECOND_MS = 1_000

const ENTITIES = [
  'CAMPAIGN',
  'FUNDING_INSTRUMENT',
  'LINE_ITEM',
  'MEDIA_CREATIVE',
  'PROMOTED_ACCOUNT',
  'PROMOTED_POST',
] as const

const entity = choice([...ENTITIES], 'Type of the entities.', 'ActiveEntityType')

const filter = (many: string, item: string) =>
  Type.Optional(
    ids(base36(`A ${item}.`), `Returns only what belongs to these ${many}. Only one such filter.`),
  )

const FILTERS = {
  campaign_ids: filter('campaigns', 'campaign'),
  funding_instrument_ids: filter('funding instruments', 'funding instrument'),
  line_item_ids: filter('line items', 'line item'),
}

const FILTER_LEVELS: Readonly<Record<keyof typeof FILTERS, LedgerLevel>> = {
  campaign_ids: 'campaign_id',
  funding_instrument_ids: 'funding_instrument_id',
  line_item_ids: 'line_item_id',
}

const Echo = closedObject({
  params: closedObject({
    account_id: base36('The account.'),
    entity,
    start_time: instant('Start.'),
    end_time: instant('End.'),
    ...FILTERS,
  }),
})

const ActiveEntity = closedComponent('ActiveEntity', {
  entity_id: base36('The entity.'),
  activity_start_time: instant('When its figures begin to change.'),
  activity_end_time: instant('When they end to change.'),
  placements: Type.Array(Type.String(), { description: 'Where it was shown.' }),
})

/** GET …/active_entities: what was delivered in some hours (reference: active entities). */
export const listActiveEntities = adsEndpoint({
  id: 'listActiveEntities',
  method: 'GET',
  path: '/stats/accounts/{account_id}/active_entities',
  summary: 'List entities with activity',
  description:
    'Returns the entities whose figures changed in the hours of a window of at most 90 days, and from when to when. Use it to ask only for figures that are new. Times that are not on the hour are widened to whole hours.',
  source: 'Advertising analytics',
  right: 'read',
  limits: LIMITS.stats,
  query: {
    entity,
    start_time: localInstant('Start. A date is midnight in the time zone of the account.'),
    end_time: localInstant('End, exclusive, in the same form.'),
    ...FILTERS,
  },
  codes: ['EXCLUSIVE_PARAMETERS', 'INVALID_TIME_WINDOW'],
  data: Type.Array(ActiveEntity),
  beside: ['type'],
  async handle({ scope, query }, { store, clock, naming, delivery }) {
    const { accountId, account } = scope
    const given = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((name) => query[name])
    const window = wholeHours(windowOf(query, timeZone(account.timezone), clock.now()))
    rejectFirst(
      () => exclusive(given),
      () => wrongSpan(window, MAX_DAYS),
    )
    await delivery.complete(accountId)
    const [name] = given
    const data = await activeIn(store, {
      account: accountId,
      level: levelOf(query.entity) ?? 'promotion_id',
      filter: name ? FILTER_LEVELS[name] : 'account_id',
      ids: (name && query[name]) ?? [],
      kind: query.entity,
      window,
    })
    return {
      data_type: 'active_entities',
      data,
      request: repeated({ ...query, account_id: accountId, window }, naming.vocabulary),
    }
  },
})

function exclusive([first, second]: readonly string[]): AdsError[] {
  if (first === undefined || second === undefined) return []
  return [
    {
      code: 'EXCLUSIVE_PARAMETERS',
      message: msg`${words([first, second])} are exclusive parameters`,
      parameter: second,
    },
  ]
}

const repeated = (
  { window, ...params }: Readonly<Record<string, unknown>> & { window: Window },
  vocabulary: Vocabulary,
) => {
  const times = { start_time: window.fromMs, end_time: window.untilMs }
  return new RawJson(compileReply(Echo, vocabulary)({ params: { ...params, ...times } }))
}

interface ActivityQuery {
  readonly account: string
  readonly level: LedgerLevel
  readonly filter: LedgerLevel
  readonly ids: readonly string[]
  readonly kind: (typeof ENTITIES)[number]
  readonly window: Window
}

async function activeIn(
  store: Pick<Store, 'all'>,
  { account, level, filter: by, ids: only, kind, window }: ActivityQuery,
) {
  const { fromMs: from, untilMs: until } = window
  const args = { account, ids: JSON.stringify(only), from, until, after: earliestRow(from), before: until }
  const [whole, edges] = await Promise.all([
    store.all(activity[level][by], args),
    store.all(activityEdges[level][by], args),
  ])
  const times = new Map<string, Window>()
  const add = (id: string, fromMs: number, untilMs: number) => {
    const known = times.get(id)
    times.set(id, {
      fromMs: Math.min(fromMs, known?.fromMs ?? fromMs),
      untilMs: Math.max(untilMs, known?.untilMs ?? untilMs),
    })
  }
  for (const row of whole) add(row.id, row.from_time, row.until_time)
  for (const row of edges)
    for (const { fromMs, untilMs } of cellsIn(row, window)) add(row.id, fromMs, untilMs)
  const known = await ofKind(store, { account, kind, ids: [...times.keys()] })
  return [...times]
    .filter(([id]) => known.has(id))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, active]) => ({
      entity_id: id,
      activity_start_time: active.fromMs,
      // The last second: the end is exclusive.
      activity_end_time: active.untilMs - SECOND_MS,
      placements: ['ALL_ON_SERVICE'],
    }))
}

/** Promoted posts, promoted accounts and media creatives share a level of the ledger. */
async function ofKind(
  store: Pick<Store, 'all'>,
  { account, kind, ids: all }: { account: string; kind: ActivityQuery['kind']; ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const rows = await store.all(knownEntities[kind], { account, ids: JSON.stringify(all) })
  return new Set(rows.map(({ id }) => id))
}
