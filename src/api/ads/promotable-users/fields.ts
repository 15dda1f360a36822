import { choice, long } from '../../../platform/http/schema.ts'

export const fields = {
  user_id: { schema: long('The user.') },
  promotable_user_type: {
    schema: choice(['FULL', 'REPOSTS_ONLY'], 'Whether all posts of the user may be promoted.'),
  },
} as const
