import type { Context } from '../../../src/app/start/context.ts'
import { filePath } from '../../../src/domain/media/media.ts'
import { addSubtitles } from '../../../src/domain/media/subtitles.ts'
import { appendSegment, openUpload } from '../../../src/domain/media/uploads.ts'
import { gif, mp4, png, uploaded, vtt } from '../../support/media.ts'
import type { Recipe } from './recipe.ts'

/** An upload that expects an image of this many bytes. */
const announced = (context: Context, userId: string, bytes: number) =>
  openUpload(
    { category: 'POST_IMAGE', contentType: 'image/png', bytes, owners: [], shared: false },
    { userId, context },
  )

/** Calls of the endpoints of media. */
export const mediaRecipes: Readonly<Record<string, Recipe>> = {
  uploadMedia: async () => ({ form: { media_data: png(8, 8).toString('base64') } }),
  async getMediaUpload({ plaza }, { user }) {
    const { id } = await uploaded(plaza.context, user.id, gif(8, 8))
    return { query: { command: 'STATUS', media_id: id } }
  },
  uploadMedium: async () => ({ form: { media: png(8, 8).toString('base64') } }),
  initializeMediumUpload: async () => ({
    form: { media_type: 'video/mp4', media_category: 'post_video', total_bytes: '1000' },
  }),
  async appendMediumUpload({ plaza: { context } }, { user }) {
    return {
      params: { id: (await announced(context, user.id, 8)).id },
      form: { media: Buffer.alloc(8).toString('base64'), segment_index: '0' },
    }
  },
  async finalizeMediumUpload({ plaza: { context } }, { user }) {
    const content = png(8, 8)
    const { id } = await announced(context, user.id, content.length)
    await appendSegment({ mediaId: id, index: 0 }, content, { userId: user.id, context })
    return { params: { id } }
  },
  async getMediumUpload({ plaza }, { user }) {
    return { query: { media_id: (await uploaded(plaza.context, user.id, gif(8, 8))).id } }
  },
  async createSubtitles({ plaza: { context } }, { user }) {
    const video = await uploaded(context, user.id, mp4(16, 9))
    const file = await uploaded(context, user.id, vtt())
    const subtitles = { id: file.id, language_code: 'en', display_name: 'English' }
    return { json: { id: video.id, media_category: 'PostVideo', subtitles } }
  },
  async deleteSubtitles({ plaza: { context } }, { user }) {
    const video = await uploaded(context, user.id, mp4(16, 9))
    const { id: subtitles_id } = await uploaded(context, user.id, vtt())
    const track = { media_id: video.id, subtitles_id, language_code: 'en', display_name: 'English' }
    await context.store.write((tx) => addSubtitles(tx, track))
    return { json: { id: video.id, media_category: 'PostVideo', language_code: 'en' } }
  },
  async listMedia({ plaza }, { user }) {
    return { query: { media_keys: (await uploaded(plaza.context, user.id, png(8, 8))).media_key } }
  },
  async getMediaAnalytics({ plaza }, { user }) {
    const now = plaza.context.clock.now()
    const text = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 19)}Z`
    const media_keys = (await uploaded(plaza.context, user.id, mp4(64, 64))).media_key
    return { query: { media_keys, start_time: text(now - 86_400_000), end_time: text(now) } }
  },
  async getMedium({ plaza }, { user }) {
    return { params: { media_key: (await uploaded(plaza.context, user.id, png(8, 8))).media_key } }
  },
  async getMediaFile({ plaza }, { user }) {
    const { hash, content_type } = await uploaded(plaza.context, user.id, png(8, 8))
    return { params: { file: filePath(String(hash), String(content_type)).slice('/media/'.length) } }
  },
  describeMedium: async ({ plaza }, { user }) => ({
    json: {
      id: (await uploaded(plaza.context, user.id, png(8, 8))).id,
      metadata: { alt_text: { text: 'a' } },
    },
  }),
  createMediaMetadata: async ({ plaza }, { user }) => ({
    json: { media_id: (await uploaded(plaza.context, user.id, png(8, 8))).id, alt_text: { text: 'a' } },
  }),
}
