import { query } from '../../store/query.ts'
import type { AccountAccessRow, AccountFeatureRow, AccountRow } from '../../store/tables.ts'

/** An account of an environment, with the roles of one user there. */
export const accountOfUser = query<
  { id: string; userId: string; environment: string },
  AccountRow & { roles: string }
>('accountOfUser', (db, at) =>
  db
    .selectFrom('account_access')
    .innerJoin('accounts', 'accounts.id', 'account_access.account_id')
    .selectAll('accounts')
    .select('account_access.roles')
    .where('account_access.user_id', '=', at.userId)
    .where('account_access.account_id', '=', at.id)
    .where('accounts.environment', '=', at.environment),
)

export const addAccount = query<AccountRow>('addAccount', (db, at) =>
  db.insertInto('accounts').values({
    id: at.id,
    environment: at.environment,
    name: at.name,
    name_key: at.name_key,
    business_name: at.business_name,
    business_id: at.business_id,
    timezone: at.timezone,
    timezone_switch_at: at.timezone_switch_at,
    approval_status: at.approval_status,
    industry_type: at.industry_type,
    created_at: at.created_at,
    updated_at: at.updated_at,
    deleted: at.deleted,
  }),
)

/** Grants roles on an account, in place of those that the user had. */
export const putAccess = query<AccountAccessRow>('putAccess', (db, at) =>
  db
    .insertInto('account_access')
    .values({ user_id: at.user_id, account_id: at.account_id, roles: at.roles, created_at: at.created_at })
    .onConflict((c) => c.columns(['user_id', 'account_id']).doUpdateSet({ roles: at.roles })),
)

export const featuresOfAccount = query<{ account: string }, AccountFeatureRow>(
  'featuresOfAccount',
  (db, at) =>
    db.selectFrom('account_features').selectAll().where('account_id', '=', at.account).orderBy('feature_key'),
)

export const grantFeature = query<AccountFeatureRow>('grantFeature', (db, at) =>
  db
    .insertInto('account_features')
    .values({ account_id: at.account_id, feature_key: at.feature_key })
    .onConflict((c) => c.columns(['account_id', 'feature_key']).doNothing()),
)
