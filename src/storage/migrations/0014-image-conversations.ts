import type { Migration } from './migration.ts'

/** Conversations about images let go of columns that nothing was ever written to. */
export const imageConversations: Migration = {
  name: '0014-image-conversations',
  statements: () => [
    'alter table "image_conversation_cards" drop column "poster_media_key"',
    'alter table "image_conversation_cards" drop column "unlocked_video_media_key"',
  ],
}
