import { gzipSync } from 'node:zlib'
import { grantFeature } from '../../../src/api/ads/accounts/queries.ts'
import type { StatsQuery } from '../../../src/api/ads/stats/parameters.ts'
import { shownJob, storedJob } from '../../../src/api/ads/stats-jobs/job.ts'
import { addJob, addJobFile } from '../../../src/api/ads/stats-jobs/queries.ts'
import type { Context } from '../../../src/app/start/context.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { own } from './campaigns.ts'
import type { Recipe } from './recipe.ts'

const START = '2026-03-01T08:00:00Z'
const END = '2026-03-02T08:00:00Z'

const QUERY: StatsQuery = {
  entity: 'ACCOUNT',
  entity_ids: ['18ce54d4x5t'],
  start_time: Date.parse(START),
  end_time: Date.parse(END),
  granularity: 'TOTAL',
  placement: 'ALL_ON_SERVICE',
  metric_groups: ['ENGAGEMENT'],
  segmentation_type: null,
  country: null,
  platform: null,
}

const asked = async (one: Advertiser) => ({
  entity: 'LINE_ITEM',
  entity_ids: (await one.lineItem()).id,
  start_time: START,
  end_time: END,
  granularity: 'HOUR',
  placement: 'ALL_ON_SERVICE',
  metric_groups: 'ENGAGEMENT,BILLING,VIDEO,WEB_CONVERSION',
})

/** A job of an account that is processing, or has a result. */
async function makeJob(context: Context, account: string, isReady = false) {
  const now = context.clock.now()
  const job = storedJob({
    id: context.ids.next(),
    account_id: account,
    status: isReady ? 'SUCCESS' : 'PROCESSING',
    query: QUERY,
    created_at: now,
    updated_at: now,
    expires_at: isReady ? now + 48 * 3_600_000 : null,
  })
  await context.store.write(async (tx) => {
    await tx.run(addJob, job)
    if (isReady) await tx.run(addJobFile, { job_id: job.id, data: gzipSync('{}') })
  })
  return job
}

const reach =
  (parameter: string, idOf: (one: Advertiser) => Promise<string>): Recipe =>
  (world, caller) =>
    own(async (one) => {
      const feature_key = 'REACH_AND_FREQUENCY_ANALYTICS'
      const feature = { account_id: one.account.id, feature_key }
      await world.plaza.context.store.write((tx) => tx.run(grantFeature, feature))
      return { query: { [parameter]: await idOf(one), start_time: START, end_time: END } }
    })(world, caller)

/** Calls of analytics. */
export const statsRecipes: Readonly<Record<string, Recipe>> = {
  getStats: own(async (one) => ({ query: await asked(one) })),
  listActiveEntities: own(async (one) => ({
    query: {
      entity: 'LINE_ITEM',
      start_time: START,
      end_time: END,
      line_item_ids: (await one.lineItem()).id,
    },
  })),
  getReachOfCampaigns: reach('campaign_ids', async (one) => (await one.campaign()).id),
  getReachOfFundingInstruments: reach('funding_instrument_ids', async (one) => (await one.fund()).id),
  createStatsJob: own(async (one) => ({
    form: {
      ...(await asked(one)),
      metric_groups: 'ENGAGEMENT,BILLING,VIDEO',
      segmentation_type: 'METROS',
      granularity: 'TOTAL',
      country: '96683cc9126741d1',
      platform: '0',
    },
  })),
  listStatsJobs: (world, caller) =>
    own(async (one) => ({ query: { job_ids: (await makeJob(world.plaza.context, one.account.id)).id } }))(
      world,
      caller,
    ),
  cancelStatsJob: (world, caller) =>
    own(async (one) => ({ params: { job_id: (await makeJob(world.plaza.context, one.account.id)).id } }))(
      world,
      caller,
    ),
  async getStatsJobFile({ plaza }, { user }) {
    const { account } = await Advertiser.open(plaza.context, user.id)
    const job = await makeJob(plaza.context, account.id, true)
    const [access_key = '', file_name = ''] = shownJob(job, plaza.context).url?.split('/').slice(-2) ?? []
    return { params: { access_key, file_name } }
  },
}
