import type { Area } from '../support/exchange.ts'
import { each, id64, integer, keep, objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const ERROR = {
  title: 'Authorization Error',
  type: '{problem_base}/2/problems/not-authorized-for-resource',
  resource_type: 'post',
  section: 'data',
  parameter: 'ids',
}
const SPAN = { start_time: '2026-01-01T00:00:00Z', end_time: '2090-01-01T00:00:00Z' }
const likes = [{ metric_type: 'Likes', metric_value: 0 }]

/** Sources: core reference, 08. */
export const analytics: Area = {
  name: 'analytics of posts',
  base: '{base_url}',
  as: 'user',
  rows: [
    {
      it: 'a user publishes a post',
      send: 'POST /2/posts',
      json: { text: 'to be counted, {run}' },
      status: 201,
      reply: {
        data: {
          ...{ id: keep('counted_post', id64), text: 'to be counted, {run}' },
          edit_history_post_ids: [id64],
        },
      },
    },
    {
      it: 'its metrics in total are those of one period',
      send: 'GET /2/posts/analytics',
      query: { ids: '{counted_post}', ...SPAN, 'analytics.fields': 'likes,impressions' },
      status: 200,
      reply: {
        data: [
          {
            id: '{counted_post}',
            ...{ timestamp: objectTime, likes: 0, impressions: integer },
            timestamped_metrics: [{ timestamp: objectTime, metrics: { likes: 0, impressions: integer } }],
          },
        ],
      },
      limit: 300,
    },
    {
      it: 'the metrics of posts of others are not shown',
      send: 'GET /2/posts/analytics',
      query: { ids: '{counted_post}', ...SPAN },
      as: 'advertiser',
      status: 200,
      reply: {
        errors: [
          {
            ...ERROR,
            detail: 'Sorry, you are not authorized to see the Post with ids: [{counted_post}].',
            value: '{counted_post}',
            resource_id: '{counted_post}',
          },
        ],
      },
    },
    {
      it: 'a span ends after it begins',
      send: 'GET /2/posts/analytics',
      query: { ids: '{counted_post}', start_time: SPAN.start_time, end_time: SPAN.start_time },
      status: 400,
      reply: problem.invalidRequest([
        { end_time: [SPAN.start_time] },
        `Invalid 'end_time':'${SPAN.start_time}'. 'end_time' must be after 'start_time'.`,
      ]),
    },
    {
      it: 'a medium that does not exist',
      send: 'GET /2/media/analytics',
      query: { media_keys: '7_456', ...SPAN, granularity: 'total' },
      status: 200,
      reply: {
        errors: [
          {
            title: 'Not Found Error',
            type: '{problem_base}/2/problems/resource-not-found',
            detail: 'Could not find media with media_keys: [7_456].',
            value: '7_456',
            parameter: 'media_keys',
            resource_id: '7_456',
            resource_type: 'media',
          },
        ],
      },
      limit: 300,
    },
    {
      it: 'insights of the last 28 hours',
      send: 'GET /2/insights/28hr',
      query: { post_ids: '{counted_post}', granularity: 'Weekly', requested_metrics: 'Likes' },
      status: 200,
      reply: {
        data: [
          {
            measurement: {
              metrics_total: [{ post_id: '{counted_post}', value: likes }],
              metrics_time_series: each({
                post_id: '{counted_post}',
                value: { metric_values: likes, timestamp: { iso8601_time: objectTime } },
              }),
            },
          },
        ],
      },
      limit: 300,
    },
    {
      it: 'insights of a span',
      send: 'GET /2/insights/historical',
      query: {
        ...{ post_ids: '{counted_post}', granularity: 'Total', requested_metrics: 'Likes' },
        start_time: new Date(Date.now() - 3_600_000).toISOString(),
        end_time: new Date(Date.now() + 3_600_000).toISOString(),
      },
      status: 200,
      reply: { data: [{ measurement: { metrics_total: [{ post_id: '{counted_post}', value: likes }] } }] },
      limit: 300,
    },
    {
      it: 'a historical span ends after it begins',
      send: 'GET /2/insights/historical',
      query: {
        ...{ post_ids: '456', granularity: 'Total', requested_metrics: 'Likes' },
        ...{ start_time: SPAN.end_time, end_time: SPAN.start_time },
      },
      status: 400,
      reply: problem.invalidRequest([
        { end_time: [SPAN.start_time] },
        `Invalid 'end_time':'${SPAN.start_time}'. 'end_time' must be after 'start_time'.`,
      ]),
      limit: 300,
    },
  ],
}
