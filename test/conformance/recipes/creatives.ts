import { filePath } from '../../../src/core/media/media.ts'
import { gif, png, uploaded } from '../../support/media.ts'
import type { Recipe } from './recipe.ts'

/** How to call media, cards, drafts and schedules. */
export const creativeRecipes: Readonly<Record<string, Recipe>> = {
  uploadMedia: async () => ({ form: { media_data: png(8, 8).toString('base64') } }),
  async getMediaUpload({ plaza }, { user }) {
    const { id } = await uploaded(plaza.context, user.id, gif(8, 8))
    return { query: { command: 'STATUS', media_id: id } }
  },
  async getMediaFile({ plaza }, { user }) {
    const { hash, content_type } = await uploaded(plaza.context, user.id, png(8, 8))
    return { params: { file: filePath(String(hash), String(content_type)).slice('/media/'.length) } }
  },
}
