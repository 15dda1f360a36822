import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { mp4, png } from '../support/files.ts'
import { legacy } from '../support/legacy.ts'
import { base36, id64, keep, like, number, time } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

const image = png(1200, 628)
const banner = png(320, 50)
const small = png(100, 100)
const video = mp4(1280, 720, 8000)

const upload = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/1.1/media/upload.json',
  ...row,
})

const uploaded = (kept: string, width: number, height: number, size: number) => ({
  media_id: number,
  media_id_string: keep(`${kept}_id`, id64),
  media_key: keep(kept, like(/^3_[0-9]+$/)),
  size,
  expires_after_secs: number,
  image: { image_type: 'image/png', w: width, h: height },
})

const uploads: Area['rows'] = [
  upload({
    it: 'an image is sent whole',
    form: { media_data: image.toString('base64'), media_category: 'post_image' },
    status: 200,
    reply: uploaded('image', 1200, 628, image.length),
    limit: 615,
  }),
  {
    it: 'the path without .json uploads too',
    send: 'POST {base_url}/1.1/media/upload',
    form: { media_data: banner.toString('base64') },
    status: 200,
    reply: uploaded('banner', 320, 50, banner.length),
  },
  upload({
    it: 'as may be a multipart body, which no signature covers',
    body: {
      type: 'multipart/form-data; boundary=part',
      content: Buffer.concat([
        Buffer.from('--part\r\ncontent-disposition: form-data; name="media"; filename="small.png"\r\n\r\n'),
        small,
        Buffer.from('\r\n--part--\r\n'),
      ]),
    },
    status: 200,
    reply: uploaded('small', 100, 100, small.length),
  }),
  upload({
    it: 'a video is announced',
    form: {
      command: 'INIT',
      total_bytes: String(video.length),
      media_type: 'video/mp4',
      media_category: 'amplify_video',
    },
    status: 202,
    reply: {
      media_id: number,
      media_id_string: keep('video_id', id64),
      media_key: keep('video', like(/^13_[0-9]+$/)),
      expires_after_secs: number,
    },
  }),
  upload({
    it: 'sent in segments',
    form: {
      command: 'APPEND',
      media_id: '{video_id}',
      segment_index: '0',
      media_data: video.toString('base64'),
    },
    status: 204,
  }),
  upload({
    it: 'and ended',
    form: { command: 'FINALIZE', media_id: '{video_id}' },
    status: 201,
    reply: {
      media_id: number,
      media_id_string: '{video_id}',
      media_key: '{video}',
      size: video.length,
      expires_after_secs: number,
      video: { video_type: 'video/mp4' },
      processing_info: { state: 'pending', check_after_secs: 1 },
    },
  }),
  {
    it: 'STATUS tells when the work on it is done',
    async run(world) {
      const query = { command: 'STATUS', media_id: '{video_id}' }
      const row = { send: 'GET {base_url}/1.1/media/upload.json', as: 'advertiser', query } as const
      for (;;) {
        const { status, text } = await send(world, row)
        assert.equal(status, 200)
        const { processing_info } = JSON.parse(text) as { processing_info: { state: string } }
        if (processing_info.state === 'succeeded') return
        assert.match(processing_info.state, /^(pending|in_progress)$/)
        await sleep(5)
      }
    },
  },
  ...['upload.json', 'upload'].map((path) => ({
    it: 'STATUS of a video that is ready',
    send: `GET {base_url}/1.1/media/${path}`,
    query: { command: 'STATUS', media_id: '{video_id}' },
    status: 200,
    reply: {
      media_id: number,
      media_id_string: '{video_id}',
      media_key: '{video}',
      size: video.length,
      expires_after_secs: number,
      video: { video_type: 'video/mp4' },
      processing_info: { state: 'succeeded', progress_percent: 100 },
    },
    limit: 1000,
  })),
  upload({
    it: '324: a file that is not media',
    form: { media_data: Buffer.from('hello').toString('base64') },
    status: 400,
    reply: legacy(324, 'The file is not a complete image, GIF or video of its category.'),
  }),
  upload({
    it: '324: a GIF that is announced too large',
    form: { command: 'INIT', total_bytes: '20000000', media_type: 'image/gif', media_category: 'post_gif' },
    status: 400,
    reply: legacy(
      324,
      'The file is too large: images may have 5 MB, GIFs 15 MB, and videos 512 MB in segments of up to 5 MB.',
    ),
  }),
  upload({
    it: 'an upload is announced',
    form: { command: 'INIT', total_bytes: '10', media_type: 'video/mp4', media_category: 'post_video' },
    status: 202,
    reply: {
      media_id: number,
      media_id_string: keep('broken_id', id64),
      media_key: like(/^7_[0-9]+$/),
      expires_after_secs: number,
    },
  }),
  upload({
    it: '324: segments that do not make up what was announced',
    form: { command: 'FINALIZE', media_id: '{broken_id}' },
    status: 400,
    reply: legacy(
      324,
      'The segments do not match the announced upload: they must be numbered from 0 and have total_bytes in total.',
    ),
  }),
  upload({
    it: '325: an upload that is not there',
    form: { command: 'FINALIZE', media_id: '1' },
    status: 400,
    reply: legacy(325, 'A media id was not found.'),
  }),
  upload({
    it: '38: media_data is missing',
    form: {},
    status: 400,
    reply: legacy(38, 'media_data parameter is missing.'),
  }),
]

const item = {
  media_key: '{image}',
  media_type: 'IMAGE',
  media_category: 'POST_IMAGE',
  media_status: 'TRANSCODE_COMPLETED',
  media_url: like(/^https?:\/\/[^/]+\/media\/[0-9a-f]{64}\.png$/),
  name: null,
  file_name: null,
  posted: false,
  created_at: time,
  updated_at: time,
  deleted: false,
}

const film = {
  ...item,
  media_key: '{video}',
  media_type: 'VIDEO',
  media_category: 'AMPLIFY_VIDEO',
  media_url: like(/^https?:\/\/[^/]+\/media\/[0-9a-f]{64}\.mp4$/),
  title: 'buildings',
  description: null,
  duration: 8000,
  aspect_ratio: '16:9',
  poster_media_key: '3_{video_id}',
  poster_media_url: like(/^https?:\/\//),
}

const library: Area['rows'] = [
  {
    it: 'an image is taken into the library',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: '{image}', name: 'First', file_name: 'first.png' },
    status: 201,
    reply: ads.single(own({ media_key: '{image}', name: 'First', file_name: 'first.png' }), {
      ...item,
      name: 'First',
      file_name: 'first.png',
    }),
    limit: WRITES,
  },
  {
    it: 'an image in the size of a banner',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: '{banner}' },
    status: 201,
    reply: ads.single(own({ media_key: '{banner}' }), { ...item, media_key: '{banner}' }),
  },
  {
    it: 'a small image',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: '{small}' },
    status: 201,
    reply: ads.single(own({ media_key: '{small}' }), { ...item, media_key: '{small}' }),
  },
  {
    it: 'a video for other videos',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: '{video}', title: 'buildings' },
    status: 201,
    reply: ads.single(own({ media_key: '{video}', title: 'buildings' }), film),
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/media_library/{video}',
    status: 200,
    reply: ads.single(own({ media_key: '{video}' }), film),
    limit: READS,
  },
  {
    it: 'the list finds the words of names',
    send: 'GET /accounts/{account}/media_library',
    query: { q: 'BUILDINGS', media_type: 'VIDEO' },
    status: 200,
    reply: ads.list(own({ q: 'BUILDINGS', media_type: 'VIDEO' }), [film]),
    limit: READS,
  },
  {
    it: 'one is changed',
    send: 'PUT /accounts/{account}/media_library/{image}',
    form: { name: '', file_name: '' },
    status: 200,
    reply: ads.single(own({ media_key: '{image}', name: null, file_name: null }), item),
    limit: WRITES,
  },
  {
    it: 'an image has no title',
    send: 'PUT /accounts/{account}/media_library/{image}',
    form: { title: 'x' },
    status: 400,
    reply: ads.errors(
      own({ media_key: '{image}', title: 'x' }),
      ads.error('INVALID_PARAMETER', 'setting title is for videos and GIFs', { parameter: 'title' }),
    ),
  },
  {
    it: 'a medium that was not uploaded',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: '3_1' },
    status: 404,
    reply: ads.errors(
      own({ media_key: '3_1' }),
      ads.error('MEDIA_NOT_FOUND', 'Media 3_1 was not found', { parameter: 'media_key' }),
    ),
  },
  {
    it: 'what is no key of a medium',
    send: 'POST /accounts/{account}/media_library',
    form: { media_key: 'first.png' },
    status: 400,
    reply: ads.errors(
      own(),
      ads.error('INVALID_MEDIA_ID', 'Expected a media key, got "first.png" for media_key', {
        parameter: 'media_key',
      }),
    ),
  },
  {
    it: 'pages of the library hold 50 at most',
    send: 'GET /accounts/{account}/media_library',
    query: { count: '51' },
    status: 400,
    reply: ads.errors(
      own(),
      ads.error('INVALID_PARAMETER', 'Expected a value between 1 and 50, got "51" for count', {
        parameter: 'count',
      }),
    ),
  },
  {
    it: 'media for the network follow from the library',
    send: 'GET /accounts/{account}/account_media',
    query: { creative_types: 'PREROLL,BANNER', sort_by: 'created_at-asc' },
    status: 200,
    reply: ads.list(own({ creative_types: ['PREROLL', 'BANNER'], sort_by: ['created_at-asc'] }), [
      {
        id: keep('banner_media', base36),
        creative_type: 'BANNER',
        media_url: like(/\.png$/),
        video_id: null,
        created_at: time,
        updated_at: time,
        deleted: false,
      },
      {
        id: keep('account_media', base36),
        creative_type: 'PREROLL',
        media_url: null,
        video_id: '{video}',
        created_at: time,
        updated_at: time,
        deleted: false,
      },
    ]),
    limit: READS,
  },
  {
    it: 'one of them',
    send: 'GET /accounts/{account}/account_media/{account_media}',
    status: 200,
    reply: ads.single(own({ account_media_id: '{account_media}' }), {
      id: '{account_media}',
      creative_type: 'PREROLL',
      media_url: null,
      video_id: '{video}',
      created_at: time,
      updated_at: time,
      deleted: false,
    }),
    limit: READS,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/account_media/{banner_media}',
    status: 200,
    reply: ads.single(own({ account_media_id: '{banner_media}' }), {
      id: '{banner_media}',
      creative_type: 'BANNER',
      media_url: like(/\.png$/),
      video_id: null,
      created_at: time,
      updated_at: time,
      deleted: true,
    }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: 'GET /accounts/{account}/account_media/{banner_media}',
    status: 404,
    reply: ads.errors(
      own({ account_media_id: '{banner_media}' }),
      ads.error(
        'ACCOUNT_MEDIA_NOT_FOUND',
        'Account Media {banner_media} was not found for Account {account}',
        { parameter: 'account_media_id' },
      ),
    ),
  },
  {
    it: 'an image leaves the library',
    send: 'DELETE /accounts/{account}/media_library/{banner}',
    status: 200,
    reply: ads.single(own({ media_key: '{banner}' }), { ...item, media_key: '{banner}', deleted: true }),
    limit: WRITES,
  },
  {
    it: 'a media_url leads to the file',
    async run(world) {
      const { text } = await send(world, {
        send: 'GET {ads_sandbox_url}/12/accounts/{account}/media_library/{image}',
        as: 'advertiser',
      })
      const { data } = JSON.parse(text) as { data: { media_url: string } }
      world.variables.file = new URL(data.media_url).pathname
    },
  },
  {
    it: 'whoever knows its name may have it, for ever',
    send: 'GET {base_url}{file}',
    as: 'anonymous',
    headers: { range: 'bytes=0-3' },
    status: 206,
    reply: like(/PNG$/),
    type: 'image/png',
    has: {
      'accept-ranges': 'bytes',
      'content-range': `bytes 0-3/${image.length}`,
      'content-length': '4',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  },
]

const altText = { alt_text: { text: 'A picture' } }
const describe = { send: 'POST {base_url}/2/media/metadata', json: { id: '{image_id}', metadata: altText } }
const describeOld = {
  send: 'POST {base_url}/1.1/media/metadata/create.json',
  json: { media_id: '{image_id}', ...altText },
}

const descriptions: Area['rows'] = [
  {
    it: 'an alternative text',
    ...describe,
    status: 200,
    reply: { data: { id: '{image_id}', associated_metadata: altText } },
    limit: 500,
  },
  {
    it: 'of a media file of another user',
    ...describe,
    as: 'user',
    status: 400,
    reply: problem.invalidRequest([{ id: ['{image_id}'] }, 'Your media IDs are invalid.']),
  },
  { it: 'an alternative text, as older clients send it', ...describeOld, status: 204, limit: 500 },
  {
    it: '325: a medium that there is not',
    ...describeOld,
    json: { media_id: '1', ...altText },
    status: 400,
    reply: legacy(325, 'A media id was not found.'),
  },
]

/** The calls of an app in 24 hours. */
const daily = (limit: number) => ({
  'x-app-limit-24hour-limit': String(limit),
  'x-app-limit-24hour-remaining': id64,
  'x-app-limit-24hour-reset': id64,
})
const newId = (kept: string) => keep(kept, id64)
const upload2 = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST {base_url}/2/media/upload',
  ...row,
})
const step = (path: string, row: Omit<Exchange, 'send'>): Exchange => ({
  send: `POST {base_url}/2/media/upload/${path}`,
  ...row,
})
const words = Buffer.from('WEBVTT\n\n00:01.000 --> 00:04.000\nA line\n')
const filmParts = { video: { video_type: 'video/mp4' }, expires_after_secs: number }

const coreUploads: Area['rows'] = [
  upload2({
    it: 'an image is sent whole, as JSON',
    json: {
      media: small.toString('base64'),
      media_category: 'post_image',
      media_type: 'image/png',
      shared: false,
    },
    status: 200,
    reply: {
      data: {
        id: newId('photo2_id'),
        media_key: keep('photo2', like(/^3_[0-9]+$/)),
        size: small.length,
        expires_after_secs: number,
        image: { image_type: 'image/png', w: 100, h: 100 },
      },
    },
    limit: 500,
    has: daily(50000),
  }),
  {
    it: 'which is for posts, not for a message',
    send: 'POST {base_url}/2/dm_conversations/with/{user}/messages',
    json: { attachments: [{ media_id: '{photo2_id}' }] },
    status: 403,
    reply: problem.forbidden('You are not permitted to attach this media to a DM event.'),
  },
  upload2({
    it: 'a file that is no medium',
    json: { media: Buffer.from('hello').toString('base64') },
    status: 400,
    reply: problem.invalidRequest([
      { media: [] },
      'The file is not a complete image, GIF or video, and not subtitles.',
    ]),
  }),
  upload2({
    it: 'an image as a GIF',
    json: { media: small.toString('base64'), media_category: 'post_gif' },
    status: 400,
    reply: problem.invalidRequest([{ media: [] }, 'The file is an image, which post_gif does not hold.']),
  }),
  upload2({
    it: 'no file',
    json: { media_category: 'post_image' },
    status: 400,
    reply: problem.invalidRequest([{ media: [] }, 'The `media` parameter can not be empty']),
  }),
  step('initialize', {
    it: 'a video is announced',
    json: { media_type: 'video/mp4', media_category: 'post_video', total_bytes: video.length },
    status: 200,
    reply: {
      data: {
        id: newId('film2_id'),
        media_key: keep('film2', like(/^7_[0-9]+$/)),
        expires_after_secs: number,
      },
    },
    limit: 1875,
    has: daily(180000),
  }),
  step('initialize', {
    it: 'a GIF that is announced too large',
    json: { media_type: 'image/gif', total_bytes: 20_000_000 },
    status: 400,
    reply: problem.invalidRequest([
      { total_bytes: ['20000000'] },
      'post_gif holds files of up to 15728640 bytes, this one has 20000000.',
    ]),
  }),
  step('{film2_id}/finalize', {
    it: 'segments that do not make up what was announced',
    status: 400,
    reply: problem.invalidRequest([
      { id: ['{film2_id}'] },
      `The segments of the upload {film2_id} have 0 of the ${video.length} bytes of total_bytes.`,
    ]),
  }),
  step('{film2_id}/append', {
    it: 'sent in segments',
    json: { segment_index: 0, media: video.toString('base64') },
    status: 200,
    reply: { data: { expires_at: number } },
    limit: 1875,
    has: daily(180000),
  }),
  step('{film2_id}/append', {
    it: 'a segment beyond what was announced',
    json: { segment_index: 1, media: 'AAAA' },
    status: 400,
    reply: problem.invalidRequest([
      { media: [] },
      `With this segment the upload has ${video.length + 3} bytes, more than the ${video.length} of total_bytes.`,
    ]),
  }),
  step('{film2_id}/finalize', {
    it: 'and ended',
    status: 200,
    reply: {
      data: {
        id: '{film2_id}',
        media_key: '{film2}',
        size: video.length,
        ...filmParts,
        processing_info: { state: 'pending', check_after_secs: 1 },
      },
    },
    limit: 1875,
    has: daily(180000),
  }),
  {
    it: 'STATUS tells how far the work on it is',
    send: 'GET {base_url}/2/media/upload',
    query: { command: 'STATUS', media_id: '{video_id}' },
    status: 200,
    reply: {
      data: {
        id: '{video_id}',
        media_key: '{video}',
        size: video.length,
        ...filmParts,
        processing_info: { state: 'succeeded', progress_percent: 100 },
      },
    },
    limit: 1000,
    has: daily(100000),
  },
  {
    it: 'STATUS of the upload of somebody else',
    send: 'GET {base_url}/2/media/upload',
    as: 'user',
    query: { media_id: '{film2_id}' },
    status: 400,
    reply: problem.invalidRequest([
      { media_id: ['{film2_id}'] },
      'There is no upload {film2_id} of this user, or it has expired.',
    ]),
  },
  upload2({
    it: 'subtitles are uploaded',
    json: { media: words.toString('base64'), media_category: 'subtitles' },
    status: 200,
    reply: {
      data: {
        id: newId('words_id'),
        media_key: like(/^37_[0-9]+$/),
        size: words.length,
        expires_after_secs: number,
      },
    },
  }),
  {
    it: 'and given to a video',
    send: 'POST {base_url}/2/media/subtitles',
    json: {
      id: '{film2_id}',
      media_category: 'PostVideo',
      subtitles: { id: '{words_id}', language_code: 'EN', display_name: 'English' },
    },
    status: 200,
    reply: {
      data: {
        id: '{film2_id}',
        media_category: 'PostVideo',
        associated_subtitles: [{ id: '{words_id}', language_code: 'EN', display_name: 'English' }],
      },
    },
    limit: 100,
    has: daily(10000),
  },
  ...[true, false].map((are) => ({
    it: are ? 'and taken away' : 'subtitles that a video does not have',
    send: 'DELETE {base_url}/2/media/subtitles',
    json: { id: '{film2_id}', media_category: 'PostVideo', language_code: 'EN' },
    status: are ? 200 : 400,
    reply: are
      ? { data: { deleted: true } }
      : problem.invalidRequest([{ language_code: ['EN'] }, 'The video {film2_id} has no subtitles in EN.']),
    limit: 100,
    has: daily(10000),
  })),
  {
    it: 'media are looked up by their keys',
    send: 'GET {base_url}/2/media',
    query: { media_keys: '{film2},{photo2}', 'media.fields': 'width,height' },
    status: 200,
    reply: {
      data: [
        { media_key: '{film2}', type: 'video', height: 720, width: 1280 },
        { media_key: '{photo2}', type: 'photo', height: 100, width: 100 },
      ],
    },
    limit: 900,
  },
  {
    it: 'one is',
    send: 'GET {base_url}/2/media/{photo2}',
    status: 200,
    reply: { data: { media_key: '{photo2}', type: 'photo' } },
    limit: 900,
  },
  {
    it: 'that of somebody else, which no post shows, is not found',
    send: 'GET {base_url}/2/media/{photo2}',
    as: 'user',
    status: 200,
    reply: {
      errors: [
        {
          value: '{photo2}',
          detail: 'Could not find media with media_key: [{photo2}].',
          title: 'Not Found Error',
          resource_type: 'media',
          parameter: 'media_key',
          resource_id: '{photo2}',
          type: '{problem_base}/2/problems/resource-not-found',
        },
      ],
    },
  },
]

/** Sources: interface, "Creatives"; advertising reference, 02 sections 1 and 2. */
export const media: Area = {
  name: 'media',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [...uploads, ...coreUploads, ...descriptions, ...library],
}
