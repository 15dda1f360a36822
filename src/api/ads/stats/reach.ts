import { Type } from 'typebox'
import { combinedReach } from '../../../domain/ad-delivery/reach.ts'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { msg } from '../../../platform/http/message.ts'
import { base36, closedComponent, ids, instant } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { featuresOfAccount } from '../accounts/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import type { AccountScope } from '../scope.ts'
import { exposuresOf } from './exposures.ts'
import { MAX_ENTITIES, rejectFirst } from './parameters.ts'
import { knownEntities } from './queries.ts'
import { notOnTheHour, wrongSpan } from './window.ts'

const MAX_DAYS = 90
const FEATURE = 'REACH_AND_FREQUENCY_ANALYTICS'

const Reach = closedComponent('Reach', {
  id: base36('The campaign or funding instrument.'),
  total_audience_reach: Type.Integer({ minimum: 0, description: 'Number of people who saw something.' }),
  average_frequency: Type.Number({ minimum: 0, description: 'Impressions per person, with two decimals.' }),
})

interface ReachedKind {
  readonly id: string
  readonly many: string
  readonly path: string
  readonly parameter: string
  readonly entity: 'CAMPAIGN' | 'FUNDING_INSTRUMENT'
  readonly level: 'campaign_id' | 'funding_instrument_id'
}

const reachEndpoint = ({ id, many, path, parameter, entity, level }: ReachedKind) =>
  adsEndpoint({
    id,
    method: 'GET',
    path: `/stats/accounts/{account_id}/reach/${path}`,
    summary: `Get the reach of ${many}`,
    description: `Returns how many people saw something of ${many}, and how often on average. The account needs the feature ${FEATURE}. Reach is not a sum: who saw two line items counts once.`,
    source: 'Advertising analytics',
    right: 'read',
    limits: LIMITS.stats,
    query: {
      [parameter]: ids(base36('An entity.'), `The ${many}. Unknown ones are left out.`, MAX_ENTITIES),
      start_time: instant('Start: a whole hour. A date is midnight UTC.'),
      end_time: instant('End, exclusive; at most 90 days after the start.'),
    },
    // Before the parameters are read.
    steps: [needsFeature],
    codes: ['FEATURE_NOT_AVAILABLE', 'INVALID_TIME_WINDOW'],
    data: Type.Array(Reach),
    beside: ['type'],
    async handle({ scope, query }, { store, delivery }) {
      const { [parameter]: asked, start_time, end_time } = query as unknown as ReachParameters
      const window = { fromMs: start_time, untilMs: end_time }
      const zone = timeZone(scope.account.timezone)
      rejectFirst(
        () => notOnTheHour(window, zone),
        () => wrongSpan(window, MAX_DAYS),
      )
      await delivery.complete(scope.accountId)
      const given = { account: scope.accountId, ids: JSON.stringify(asked) }
      const known = new Set((await store.all(knownEntities[entity], given)).map((row) => row.id))
      const exposures = await exposuresOf(given, { level, window }, store)
      const shown = (asked as readonly string[]).filter((one) => known.has(one))
      return {
        data_type: 'reach',
        data: shown.map((one) => {
          const { people, frequency } = combinedReach([...(exposures.get(one)?.values() ?? [])])
          return { id: one, total_audience_reach: people, average_frequency: frequency }
        }),
      }
    },
  })

type ReachParameters = Readonly<Record<string, readonly string[]>> & {
  readonly start_time: number
  readonly end_time: number
}

const needsFeature = {
  name: 'need feature',
  compile: (_: unknown, { context }: { context: unknown }) => {
    const { store } = context as Pick<AdsDependencies, 'store'>
    return async (call: object) => {
      const { accountId } = (call as { scope: AccountScope }).scope
      const granted = await store.all(featuresOfAccount, { account: accountId })
      if (granted.some(({ feature_key }) => feature_key === FEATURE)) return
      throw adsApiError({
        code: 'FEATURE_NOT_AVAILABLE',
        message: msg`The account does not have the feature ${FEATURE}`,
        parameter: '',
      })
    }
  },
}

export const getReachOfCampaigns = reachEndpoint({
  id: 'getReachOfCampaigns',
  many: 'campaigns',
  path: 'campaigns',
  parameter: 'campaign_ids',
  entity: 'CAMPAIGN',
  level: 'campaign_id',
})

export const getReachOfFundingInstruments = reachEndpoint({
  id: 'getReachOfFundingInstruments',
  many: 'funding instruments',
  path: 'funding_instruments',
  parameter: 'funding_instrument_ids',
  entity: 'FUNDING_INSTRUMENT',
  level: 'funding_instrument_id',
})
