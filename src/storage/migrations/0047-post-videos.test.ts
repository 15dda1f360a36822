import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { earlier } from '../../../test/support/earlier.ts'
import { startPlaza } from '../../../test/support/plaza.ts'
import type { MediaRow, PostVideoRow } from '../tables.ts'
import { query } from '../query.ts'

// Opens databases of the version before, with posts that show media.

const BEFORE = 46

const user = (id: string, more: object = {}) => ({
  ...{ id, screen_name: `u${id}`, screen_name_key: `u${id}`, name: 'Ada' },
  ...{ password_hash: '', suspended: 0, created_at: 1, ...more },
})
const post = (id: string, media_keys: string, more: object = {}) => ({
  ...{
    id,
    environment: 'production',
    author_id: '1001',
    visibility: 0,
    text: id,
    fingerprint: id,
    lang: 'en',
  },
  ...{ entities: '{}', conversation_id: id, in_reply_to_post_id: null, in_reply_to_user_id: null },
  ...{ quoted_post_id: null, reposted_post_id: null, first_version_id: id, edits_remaining: 5 },
  ...{ editable_until: 1, nullcast: 0, reply_settings: 'everyone', possibly_sensitive: 0, card_uri: null },
  ...{ media_keys, app_id: '0', contributor_id: null, repost_count: 0, reply_count: 0, like_count: 0 },
  ...{ quote_count: 0, bookmark_count: 0, impression_count: 0, created_at: 1, deleted: 0, ...more },
})
const video = (post_id: string, cta: string | null, cta_value: string | null) => ({
  ...{ post_id, title: 'Title', description: null, cta, cta_value },
})
const medium = (id: string, more: object = {}) => ({
  ...{ id, media_key: `3_${id}`, owner_id: '1001', additional_owners: '[]', category: 'POST_IMAGE' },
  ...{ state: 'READY', bytes: 9, hash: id.padStart(64, '0'), content_type: 'image/png', width: 1, height: 1 },
  ...{ duration_ms: null, poster_hash: null, poster_type: null, posted: 1, source_post_id: null },
  ...{ finishing_until: 0, expires_at: null, created_at: 1, ...more },
})

const videosNow = query<object, PostVideoRow>('migratedPostVideos', (db) =>
  db.selectFrom('post_videos').selectAll().orderBy('post_id'),
)
const mediaNow = query<object, Pick<MediaRow, 'id' | 'source_post_id'>>('migratedMedia', (db) =>
  db.selectFrom('media').select(['id', 'source_post_id']).orderBy('id'),
)

for (const kind of earlier)
  describe(`posts and media of before: ${kind.name}`, { skip: kind.skip }, () => {
    test('calls to action stay, and media are of the first public post that shows them', async (t) => {
      const made = await kind.make(BEFORE, [
        ['users', user('1001')],
        ['users', user('1002', { protected: 1 })],
        ['posts', post('5001', '["3_7001","3_7002"]', { deleted: 1 })],
        ['posts', post('5002', '["3_7001"]', { author_id: '1002' })],
        ['posts', post('5003', '["3_7001"]', { super_followers_only: 1 })],
        ['posts', post('5004', '["3_7001"]', { community_id: '9' })],
        ['posts', post('5005', '["3_7001"]', { environment: 'sandbox' })],
        ['posts', post('5006', '["3_7003","3_7001"]', { community_id: '9', share_with_followers: 1 })],
        ['posts', post('5007', '["3_7001","3_7004","3_7005"]')],
        ['posts', post('5008', '[]')],
        ['post_videos', video('5006', 'VISIT_SITE', 'https://example.com/?a="b"')],
        ['post_videos', video('5007', 'WATCH_NOW', 'https://example.com/')],
        ['post_videos', video('5008', null, null)],
        ['media', medium('7001')],
        ['media', medium('7002')],
        ['media', medium('7003')],
        ['media', medium('7004', { source_post_id: '4999' })],
        ['media', medium('7005', { posted: 0 })],
        ['media', medium('7006')],
      ])
      t.after(() => made.remove())
      const plaza = await startPlaza({ ...made.config, seed: 'none' }, { backgroundDeliveries: false })
      t.after(() => plaza.close())
      const { store } = plaza.context
      const videos = await store.all(videosNow, {})
      assert.deepEqual(
        videos.map(({ call_to_actions: calls, ...row }) => ({
          ...row,
          calls: JSON.parse(calls ?? 'null') as unknown,
        })),
        [
          {
            ...{ post_id: '5006', title: 'Title', description: null, embeddable: null },
            calls: { visit_site: { url: 'https://example.com/?a="b"' } },
          },
          {
            ...{ post_id: '5007', title: 'Title', description: null, embeddable: null },
            calls: { watch_now: { url: 'https://example.com/' } },
          },
          { ...{ post_id: '5008', title: 'Title', description: null, embeddable: null }, calls: null },
        ],
      )
      assert.deepEqual(
        (await store.all(mediaNow, {})).map(({ id, source_post_id: source }) => [id, source]),
        [
          ['7001', '5006'],
          ['7002', null],
          ['7003', '5006'],
          ['7004', '4999'],
          ['7005', null],
          ['7006', null],
        ],
      )
    })
  })
