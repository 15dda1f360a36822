import { Type } from 'typebox'
import type { LedgerLevel } from '../../../domain/ad-delivery/queries.ts'
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
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { ACTIVE_ENTITIES, activeIn } from './activity.ts'
import { levelOf } from './figures.ts'
import { rejectFirst } from './parameters.ts'
import { type Window, wholeHours, windowOf, wrongSpan } from './window.ts'

const MAX_DAYS = 90

const entity = choice([...ACTIVE_ENTITIES], 'Type of the entities.', 'ActiveEntityType')

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
