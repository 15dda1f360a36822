import { sql } from 'kysely'
import { query } from '../../tables.ts'

/** A user, as a target. */
export const targetUser = query<{ id: string }, { screen_name: string }>('targetUser', (db, at) =>
  db.selectFrom('users').select('screen_name').where('id', '=', at.id).where('deleted_at', 'is', null),
)

/** A user that an account may promote, as a target. */
export const targetPromotableUser = query<
  { account: string; userId: string },
  { screen_name: string; promotable_user_type: string }
>('targetPromotableUser', (db, at) => ({
  compile: () =>
    sql`select users.screen_name, promotable_users.promotable_user_type from promotable_users
      inner join users on users.id = promotable_users.user_id
      where promotable_users.account_id = ${at.account} and promotable_users.user_id = ${at.userId}
        and promotable_users.visibility = 0 and users.deleted_at is null`.compile(db),
}))
