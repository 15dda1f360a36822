import { filePath } from '../../../src/core/media/media.ts'
import { Advertiser } from '../../support/advertiser.ts'
import { gif, heldMedium, mp4, png, uploaded } from '../../support/media.ts'
import { makeMedium } from '../../support/posts.ts'
import type { Guest, World } from '../world.ts'
import type { GoodCall, Recipe } from './recipe.ts'

interface Desk {
  advertiser: Advertiser
  world: World
  user: Guest
}

/** A call about the caller's own account. */
const at =
  (make: (desk: Desk) => Promise<GoodCall>): Recipe =>
  async (world, { user }) => {
    const advertiser = await Advertiser.open(world.plaza.context, user.id)
    const good = await make({ advertiser, world, user })
    return { ...good, params: { account_id: advertiser.account.id, ...good.params } }
  }

const nothing = at(async () => ({}))

/** A video in the library: everything can be said about it. */
const aVideo = async ({ world, user, advertiser }: Desk) =>
  (await heldMedium(world.plaza.context, advertiser, user.id, mp4(1280, 720))).media_key

const withVideo = at(async (desk) => ({ params: { media_key: await aVideo(desk) } }))

const withAccountMedium = at(async ({ advertiser }) => ({
  params: { account_media_id: (await makeMedium(advertiser, 'BANNER')).id },
}))

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
  listMediaLibrary: at(async (desk) => {
    await aVideo(desk)
    return {}
  }),
  getMediaLibraryItem: withVideo,
  createMediaLibraryItem: at(async ({ world, user }) => ({
    form: { media_key: (await uploaded(world.plaza.context, user.id, mp4(1280, 720))).media_key },
  })),
  updateMediaLibraryItem: withVideo,
  deleteMediaLibraryItem: withVideo,
  listAccountMedia: nothing,
  getAccountMedia: withAccountMedium,
  deleteAccountMedia: withAccountMedium,
}
