import type { Migration } from './migrate.ts'

/** Columns that only conversations about videos have. */
const OF_VIDEOS = ['poster_media_key', 'unlocked_video_media_key']

/** Conversations about images let go of columns that nothing was ever written to. */
export const imageConversations: Migration = {
  name: '0014-image-conversations',
  up: (db) => OF_VIDEOS.map((column) => db.schema.alterTable('image_conversation_cards').dropColumn(column)),
}
