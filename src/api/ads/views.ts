/**
 * The views, in SQL that both databases accept. Lists of the advertising API read them like tables
 * of entities.
 */
export const views: readonly string[] = [
  `create view "accounts_of_users" as
select account_access.user_id, account_access.account_id as id, accounts.environment, accounts.name, accounts.name_key,
  accounts.business_name, accounts.business_id, accounts.timezone, accounts.timezone_switch_at, accounts.approval_status,
  accounts.industry_type, accounts.created_at, accounts.updated_at, accounts.deleted,
  case accounts.deleted when 1 then 3 else 0 end as visibility
from account_access
inner join accounts on accounts.id = account_access.account_id`,
  `create view "shared_audiences" as
select permission.granted_account_id, permission.permission_level, permission.audience_id as id, audience.account_id,
  audience.name, audience.name_key, audience.description, audience.audience_type, audience.segments, audience.created_at, audience.updated_at, audience.deleted,
  permission.visibility
from audience_permissions as permission
inner join custom_audiences as audience on audience.id = permission.audience_id
inner join accounts as owner on owner.id = audience.account_id and owner.deleted = 0
where permission.deleted = 0 and audience.deleted = 0`,
]
