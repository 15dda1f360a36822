import { setTimeout as sleep } from 'node:timers/promises'
import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { id64, keep, like, number, oneOf, string, strings, time } from '../support/match.ts'
import { exchange } from '../support/run.ts'

const STATS = 'GET /stats/accounts/{account}'
const JOBS = '/stats/jobs/accounts/{account}'
const ANALYTICS = 250
/** How often, and after how long, what takes a while is tried again. */
const TRIES = 200
const TRY_MS = 50
const US = '96683cc9126741d1'

const asked = {
  entity: 'ACCOUNT',
  entity_ids: '{account}',
  start_time: '2019-01-01T08:00:00Z',
  end_time: '2019-01-02T08:00:00Z',
  granularity: 'DAY',
  placement: 'ALL_ON_SERVICE',
  metric_groups: 'BILLING',
}
const understood = {
  entity: 'ACCOUNT',
  entity_ids: ['{account}'],
  start_time: '2019-01-01T08:00:00Z',
  end_time: '2019-01-02T08:00:00Z',
  granularity: 'DAY',
  placement: 'ALL_ON_SERVICE',
  metric_groups: ['BILLING'],
  segmentation_type: null,
  country: null,
  platform: null,
}
const nothing = { billed_engagements: null, billed_charge_local_micro: null }
const figures = [{ id: '{account}', id_data: [{ segment: null, metrics: nothing }] }]

const job = {
  ...understood,
  id: number,
  id_str: id64,
  account_id: '{account}',
  status: oneOf('PROCESSING', 'SUCCESS'),
  url: null,
  created_at: time,
  updated_at: time,
  expires_at: null,
}

/** A call with another parameter, and its error. */
const wrong = (
  it: string,
  changes: Record<string, string>,
  code: string,
  message: unknown,
  parameter: string,
  params: object = {},
): Exchange => ({
  it,
  send: STATS,
  query: { ...asked, ...changes },
  status: 400,
  reply: ads.errors(
    own(
      Object.fromEntries(
        Object.entries({ ...withoutNulls, ...params }).filter(([, value]) => value !== undefined),
      ),
    ),
    ads.error(code, message, { parameter }),
  ),
})

const { segmentation_type, country, platform, ...withoutNulls } = understood

const FEATURE = 'REACH_AND_FREQUENCY_ANALYTICS'
const days = { start_time: '2019-01-01T00:00:00Z', end_time: '2019-01-02T00:00:00Z' }

/** Source: reference, analytics. */
export const stats: Area = {
  name: 'analytics',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'metrics without activity are null',
      send: STATS,
      query: asked,
      status: 200,
      reply: { request: { params: understood }, data_type: 'stats', time_series_length: 1, data: figures },
      limit: ANALYTICS,
    },
    {
      it: 'a date is midnight in the time zone of the account',
      send: STATS,
      query: {
        ...asked,
        granularity: 'TOTAL',
        entity_ids: 'zz,{account}',
        end_time: '2019-01-03T12:00:00+02:00',
      },
      status: 200,
      reply: {
        request: {
          params: {
            ...understood,
            granularity: 'TOTAL',
            entity_ids: ['zz', '{account}'],
            end_time: '2019-01-03T10:00:00Z',
          },
        },
        data_type: 'stats',
        time_series_length: 1,
        data: figures,
      },
    },
    wrong(
      'a granularity that there is not',
      { granularity: 'WEEK' },
      'INVALID_PARAMETER',
      'Expected a value in DAY, HOUR, TOTAL, got "WEEK" for granularity',
      'granularity',
      { granularity: undefined },
    ),
    wrong(
      'a time that is none',
      { start_time: '' },
      'INVALID_PARAMETER',
      'Expected time, got "" for start_time',
      'start_time',
      { start_time: undefined },
    ),
    wrong(
      'a time within an hour',
      { end_time: '2019-01-02T08:30:00Z' },
      'INVALID_PARAMETER',
      'Expected a whole hour, got "2019-01-02T08:30:00Z" for end_time',
      'end_time',
      { end_time: '2019-01-02T08:30:00Z' },
    ),
    wrong(
      'a day that begins at another time than midnight',
      { end_time: '2019-01-02T09:00:00Z' },
      'INVALID_PARAMETER',
      'Expected midnight in the time zone of the account, got "2019-01-02T09:00:00Z" for end_time',
      'end_time',
      { end_time: '2019-01-02T09:00:00Z' },
    ),
    wrong(
      'more than seven days and an hour',
      { end_time: '2019-01-09T08:00:00Z' },
      'INVALID_TIME_WINDOW',
      'The end_time can be a maximum of 7.days+1.hours after the start_time',
      'end_time',
      { end_time: '2019-01-09T08:00:00Z' },
    ),
    wrong(
      'a window that ends when it begins',
      { end_time: '2019-01-01T08:00:00Z' },
      'INVALID_TIME_WINDOW',
      'Expected a time later than start_time 2019-01-01T08:00:00Z, got "2019-01-01T08:00:00Z" for end_time',
      'end_time',
      { end_time: '2019-01-01T08:00:00Z' },
    ),
    {
      it: 'nothing was active',
      send: `${STATS}/active_entities`,
      query: { entity: 'CAMPAIGN', ...days, line_item_ids: 'zz' },
      status: 200,
      reply: {
        request: { params: own({ entity: 'CAMPAIGN', ...days, line_item_ids: ['zz'] }) },
        data_type: 'active_entities',
        data: [],
      },
      limit: ANALYTICS,
    },
    {
      it: 'two filters exclude each other',
      send: `${STATS}/active_entities`,
      query: { entity: 'CAMPAIGN', ...days, line_item_ids: 'zz', campaign_ids: 'zz' },
      status: 400,
      reply: ads.errors(
        own({ entity: 'CAMPAIGN', ...days, line_item_ids: ['zz'], campaign_ids: ['zz'] }),
        ads.error('EXCLUSIVE_PARAMETERS', 'campaign_ids, line_item_ids are exclusive parameters', {
          parameter: 'line_item_ids',
        }),
      ),
    },
    {
      it: 'reach needs a feature, before anything else',
      send: `${STATS}/reach/campaigns`,
      status: 400,
      reply: ads.errors(
        own(),
        ads.error('FEATURE_NOT_AVAILABLE', `The account does not have the feature ${FEATURE}`, {
          parameter: '',
        }),
      ),
    },
    {
      it: 'the feature is granted',
      send: 'POST /accounts/{account}/features',
      form: { feature_keys: FEATURE },
      status: 201,
      reply: ads.single(own({ feature_keys: [FEATURE] }), strings),
      limit: WRITES,
    },
    ...(['campaign', 'funding_instrument'] as const).map(
      (kind): Exchange => ({
        it: `reach of every ${kind} that the account has`,
        send: `${STATS}/reach/${kind}s`,
        query: { [`${kind}_ids`]: 'zz', ...days },
        status: 200,
        reply: {
          request: { params: own({ [`${kind}_ids`]: ['zz'], ...days }) },
          data_type: 'reach',
          data: [],
        },
        limit: ANALYTICS,
      }),
    ),
    {
      it: 'the feature is revoked',
      send: 'DELETE /accounts/{account}/features',
      form: { feature_keys: FEATURE },
      status: 200,
      reply: ads.single(own({ feature_keys: [FEATURE] }), strings),
      limit: WRITES,
    },
    {
      it: 'a job is created',
      send: `POST ${JOBS}`,
      form: asked,
      status: 201,
      reply: {
        request: { params: understood },
        data: { ...job, id_str: keep('stats_job', id64), status: 'PROCESSING' },
      },
      has: { 'x-concurrent-job-limit': '100', 'x-concurrent-job-limit-remaining': string },
      limit: READS,
    },
    {
      it: 'segments of places need a country',
      send: `POST ${JOBS}`,
      form: { ...asked, metric_groups: 'ENGAGEMENT', segmentation_type: 'METROS' },
      status: 400,
      reply: ads.errors(
        own({ ...withoutNulls, metric_groups: ['ENGAGEMENT'], segmentation_type: 'METROS' }),
        ads.error('MISSING_PARAMETER', '"country" is a required parameter', { parameter: 'country' }),
      ),
    },
    {
      it: 'conversions cannot be divided by age',
      send: `POST ${JOBS}`,
      form: { ...asked, metric_groups: 'WEB_CONVERSION', segmentation_type: 'AGE', country: US },
      status: 400,
      reply: ads.errors(
        own({ ...withoutNulls, metric_groups: ['WEB_CONVERSION'], segmentation_type: 'AGE', country: US }),
        ads.error(
          'INVALID_PARAMETER',
          'Expected values in BILLING, ENGAGEMENT, MEDIA, MOBILE_CONVERSION, VIDEO with AGE, got "WEB_CONVERSION" for metric_groups',
          { parameter: 'metric_groups' },
        ),
      ),
    },
    {
      it: 'a job that there is not',
      send: `DELETE ${JOBS}/1`,
      status: 404,
      reply: ads.errors(
        own({ job_id: '1' }),
        ads.error('NOT_FOUND', 'Job 1 was not found for Account {account}', { parameter: 'job_id' }),
      ),
    },
    {
      it: 'a job is cancelled while it is processing',
      async run(world) {
        for (let tries = 1; ; tries++) {
          const created: Exchange = {
            it: 'a job that will be cancelled',
            send: `POST {ads_sandbox_url}/12${JOBS}`,
            form: asked,
            status: 201,
            reply: { request: { params: understood }, data: { ...job, id_str: keep('cancelled_job', id64) } },
          }
          await exchange({ ...created, as: 'advertiser' }, world)
          const cancelled: Exchange = {
            it: 'the job is cancelled',
            send: `DELETE {ads_sandbox_url}/12${JOBS}/{cancelled_job}`,
            status: 200,
            reply: {
              request: { params: own({ job_id: '{cancelled_job}' }) },
              data_type: 'job',
              data: { ...job, id_str: '{cancelled_job}', status: 'CANCELLED' },
            },
            limit: WRITES,
          }
          try {
            await exchange({ ...cancelled, as: 'advertiser' }, world)
            return
          } catch (error) {
            // It may have ended before.
            if (tries === TRIES) throw error
          }
        }
      },
    },
    {
      it: 'the result of a job is a file that its address opens',
      async run(world) {
        const listed: Exchange = {
          it: 'the job has succeeded',
          send: `GET {ads_sandbox_url}/12${JOBS}`,
          query: { job_ids: '{stats_job}' },
          status: 200,
          reply: ads.list(own({ job_ids: ['{stats_job}'] }), [
            {
              ...job,
              id_str: '{stats_job}',
              status: 'SUCCESS',
              url: keep('stats_url', like(/\/stats_job_[0-9]+\.json\.gz$/)),
              expires_at: time,
            },
          ]),
          has: { 'x-concurrent-job-limit': '100', 'x-concurrent-job-limit-remaining': string },
          limit: READS,
        }
        for (let tries = 1; ; tries++) {
          try {
            await exchange({ ...listed, as: 'advertiser' }, world)
            break
          } catch (error) {
            if (tries === TRIES) throw error
            await sleep(TRY_MS)
          }
        }
        const file: Exchange = {
          it: 'the file',
          send: 'GET {stats_url}',
          status: 200,
          type: 'application/gzip',
          reply: string,
          has: { 'cache-control': 'private, no-store' },
          limit: 900,
        }
        await exchange({ ...file, as: 'anonymous' }, world)
      },
    },
  ],
}
