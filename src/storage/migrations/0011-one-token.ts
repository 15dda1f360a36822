import { sql } from 'kysely'
import type { Migration } from './migrate.ts'

/** One access token for each user and app: of several, the newest stays. */
export const oneToken: Migration = {
  name: '0011-one-token',
  up: (db) => [
    db.schema.dropIndex('access_tokens_grant'),
    db
      .deleteFrom('access_tokens')
      .where((at) =>
        at.exists(
          at
            .selectFrom('access_tokens as newer')
            .select(sql`1`.as('one'))
            .whereRef('newer.app_id', '=', 'access_tokens.app_id')
            .whereRef('newer.user_id', '=', 'access_tokens.user_id')
            .where(
              sql<boolean>`(newer.created_at, newer.token_hash) > (access_tokens.created_at, access_tokens.token_hash)`,
            ),
        ),
      ),
    // Nodes that run meanwhile forget the others.
    db
      .updateTable('settings')
      .set({ value: sql<string>`cast(cast(value as bigint) + 1 as text)` })
      .where('name', '=', 'credential_epoch'),
    db.schema.createIndex('access_tokens_grant').unique().on('access_tokens').columns(['user_id', 'app_id']),
    db.schema.createIndex('request_tokens_user').on('request_tokens').columns(['user_id', 'app_id']),
  ],
}
