import { Type } from 'typebox'
import { MEDIA_METRICS } from '../../../domain/analytics/metrics.ts'
import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { addMediaCounts } from '../../../workbench/create/counted.ts'
import { pastTime } from '../../../workbench/create/times.ts'
import { mediaKey } from '../../core/media/media-key.ts'
import { amounts } from '../amounts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

/** POST /admin/v1/media/{media_key}/metrics: adds views to a video. */
export const addMediaMetrics = dataEndpoint({
  ...ADMIN,
  id: 'addMediaMetrics',
  method: 'POST',
  path: '/admin/v1/media/{media_key}/metrics',
  summary: 'Add views to a video',
  description:
    'Counts views of a video in an hour, for its analytics. No more users may reach a share of the video than an earlier one.',
  params: { media_key: mediaKey('The video.') },
  body: closedObject({
    at: Type.Optional(pastTime('When they happened, to the hour')),
    metrics: amounts(MEDIA_METRICS),
  }),
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { media_key: '7_1900000000000000003' },
    body: { metrics: { video_views: 10, playback_start: 10, playback25: 4 } },
    reply: {},
  },
  async handle({ params: { media_key }, body }, { store }) {
    await store.write((tx) => addMediaCounts(tx, media_key, body))
    return empty()
  },
})
