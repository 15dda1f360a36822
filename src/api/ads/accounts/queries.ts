import { locked, picked } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import {
  type AccountAccessRow,
  type AccountFeatureRow,
  type AccountRow,
  type AccountTaxSettingsRow,
  type AccountUserSettingsRow,
  accounts,
} from './tables.ts'

/** An account in an environment, with the roles of one user. */
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
  db.insertInto('accounts').values(picked(at, columnNames(accounts))),
)

export const accountById = query<{ id: string }, AccountRow>('accountById', (db, at) =>
  db.selectFrom('accounts').selectAll().where('id', '=', at.id),
)

/** The first administrator of an account. */
export const administratorOf = query<{ account: string }, { user_id: string }>('administratorOf', (db, at) =>
  db
    .selectFrom('account_access')
    .select('user_id')
    .where('account_id', '=', at.account)
    .where('roles', 'like', '%ACCOUNT_ADMIN%')
    .orderBy('user_id')
    .limit(1),
)

/** Locks the account for a change. */
export const lockAccountRow = query<{ id: string }, AccountRow>('lockAccountRow', (db, at) =>
  locked(db, db.selectFrom('accounts').selectAll().where('id', '=', at.id)),
)

export const changeAccount = query<AccountRow>('changeAccount', (db, at) =>
  db
    .updateTable('accounts')
    .set({
      name: at.name,
      name_key: at.name_key,
      business_name: at.business_name,
      business_id: at.business_id,
      approval_status: at.approval_status,
      industry_type: at.industry_type,
      updated_at: at.updated_at,
      deleted: at.deleted,
    })
    .where('id', '=', at.id),
)

export const pageOfAccounts = query<{ after: string; limit: number }, AccountRow>(
  'pageOfAccounts',
  (db, at) => db.selectFrom('accounts').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

/** The users of an account, with their names. */
export const usersOfAccount = query<{ account: string }, { screen_name: string; roles: string }>(
  'usersOfAccount',
  (db, at) =>
    db
      .selectFrom('account_access')
      .innerJoin('users', 'users.id', 'account_access.user_id')
      .select(['users.screen_name', 'account_access.roles'])
      .where('account_access.account_id', '=', at.account)
      .orderBy('account_access.user_id'),
)

/** Some accounts, in both environments, that are not deleted and in which a user has roles. */
export const accountsWithRolesOf = query<{ userId: string; limit: number }, { id: string }>(
  'accountsWithRolesOf',
  (db, at) =>
    db
      .selectFrom('account_access')
      .innerJoin('accounts', 'accounts.id', 'account_access.account_id')
      .select('accounts.id')
      .where('account_access.user_id', '=', at.userId)
      .where('accounts.deleted', '=', 0)
      .orderBy('account_access.account_id')
      .limit(at.limit),
)

export const removeAccess = query<{ userId: string; account: string }>('removeAccess', (db, at) =>
  db.deleteFrom('account_access').where('user_id', '=', at.userId).where('account_id', '=', at.account),
)

/** Grants roles in an account, replacing those of the user. */
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

export const revokeFeature = query<AccountFeatureRow>('revokeFeature', (db, at) =>
  db
    .deleteFrom('account_features')
    .where('account_id', '=', at.account_id)
    .where('feature_key', '=', at.feature_key),
)

export const accessOfUser = query<{ userId: string; account: string }, { roles: string }>(
  'accessOfUser',
  (db, at) =>
    db
      .selectFrom('account_access')
      .select('roles')
      .where('user_id', '=', at.userId)
      .where('account_id', '=', at.account),
)

export const userSettings = query<{ account: string; userId: string }, AccountUserSettingsRow>(
  'userSettings',
  (db, at) =>
    db
      .selectFrom('account_user_settings')
      .selectAll()
      .where('account_id', '=', at.account)
      .where('user_id', '=', at.userId),
)

export const putUserSettings = query<AccountUserSettingsRow>('putUserSettings', (db, at) => {
  const settings = {
    notification_email: at.notification_email,
    contact_phone: at.contact_phone,
    contact_phone_extension: at.contact_phone_extension,
    subscribed_email_types: at.subscribed_email_types,
  }
  return db
    .insertInto('account_user_settings')
    .values({ account_id: at.account_id, user_id: at.user_id, ...settings })
    .onConflict((c) => c.columns(['account_id', 'user_id']).doUpdateSet(settings))
})

export const taxSettings = query<{ account: string }, AccountTaxSettingsRow>('taxSettings', (db, at) =>
  db.selectFrom('account_tax_settings').selectAll().where('account_id', '=', at.account),
)

export const putTaxSettings = query<AccountTaxSettingsRow>('putTaxSettings', (db, at) =>
  db
    .insertInto('account_tax_settings')
    .values({ account_id: at.account_id, settings: at.settings })
    .onConflict((c) => c.column('account_id').doUpdateSet({ settings: at.settings })),
)
