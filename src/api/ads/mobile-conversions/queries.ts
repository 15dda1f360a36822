import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { fields as lineItemFields } from '../line-items/fields.ts'
import { anyIn, pairsIn, postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import type { AppEvent } from './parameters.ts'
import type { System } from '../accounts/app-identifier.ts'
import type { ConversionRow } from '../conversions/tables.ts'
import { VISIBLE } from '../entity/queries.ts'

interface AppArgs {
  readonly app: string
  readonly system: System
  /** The same as accounts call it. */
  readonly accountSystem: string
  readonly environment: string
  /** The app that calls. */
  readonly provider: string
  readonly limit: number
}

/** An account that counts conversions of a mobile app. */
export interface AppAccountRow {
  account_id: string
  /** 1 if the app that calls measures them. */
  is_measured: number
  /** 1 if they have values. */
  has_values: number
}

/** The accounts that count conversions of a mobile app, those that the caller measures first. */
export const accountsOfApp = query<AppArgs, AppAccountRow>('accountsOfApp', (db, at) => ({
  compile: () =>
    sql`select tracking.account_id,
        (select count(*) from app_event_provider_configurations as configuration
          where configuration.account_id = tracking.account_id and configuration.visibility = ${VISIBLE}
            and configuration.provider_app_id = ${at.provider}) as is_measured,
        (select count(*) from account_features as feature
          where feature.account_id = tracking.account_id
            and feature.feature_key = 'MOBILE_CONVERSION_TRANSACTION_VALUE') as has_values
      from (
        select account_id from app_event_tags
          where app_store_identifier = ${at.app} and os_type = ${at.system} and visibility = ${VISIBLE}
        union
        select account_id from account_apps
          where app_store_identifier = ${at.app} and os_type = ${at.accountSystem} and visibility = ${VISIBLE}
            and conversion_tracking_enabled = 1
      ) as tracking
      join accounts on accounts.id = tracking.account_id
      where accounts.environment = ${at.environment} and accounts.deleted = 0
      order by is_measured desc, tracking.account_id limit ${at.limit}`.compile(db),
}))

interface TagsArgs extends Pick<AppArgs, 'app' | 'system'> {
  readonly type: AppEvent['type']
  /** Ids as a JSON list. */
  readonly accounts: string
}

/** The windows of an app event tag, in days. */
export interface TagRow {
  account_id: string
  post_engagement_attribution_window: number
  post_view_attribution_window: number
}

/** The tags that some accounts have for an event in an app, the oldest first. */
export const tagsOfEvent = query<TagsArgs, TagRow>('tagsOfEvent', (db, at) =>
  db
    .selectFrom('app_event_tags')
    .select(['account_id', 'post_engagement_attribution_window', 'post_view_attribution_window'])
    .where('app_store_identifier', '=', at.app)
    .where('os_type', '=', at.system)
    .where('visibility', '=', VISIBLE)
    .where('conversion_type', '=', at.type)
    .where(anyIn(postgres(db), sql.ref('account_id'), at.accounts))
    .orderBy('id'),
)

export const markAppTagsTracked = query<TagsArgs & { readonly now: number }>('markAppTagsTracked', (db, at) =>
  db
    .updateTable('app_event_tags')
    .set({ status: 'TRACKING', last_tracked_at: at.now })
    .where('app_store_identifier', '=', at.app)
    .where('os_type', '=', at.system)
    .where('visibility', '=', VISIBLE)
    .where('conversion_type', '=', at.type)
    .where(anyIn(postgres(db), sql.ref('account_id'), at.accounts)),
)

interface InstallArgs {
  readonly app: string
  /** Pairs of the hash of a device and the id of an account, as a JSON list. */
  readonly pairs: string
  readonly until: number
}

/**
 * The last installation of an app on a device that an advertisement led to. Of each pair, one row
 * is read, however often the installation was reported.
 */
export const lastInstallation = query<InstallArgs, ConversionRow>('lastInstallation', (db, at) => ({
  compile: () =>
    sql`select conversions.* from (
        select (
          select id from conversions as installation
            where type = 'INSTALL' and hashed_device_id = pair.device and app_id = ${at.app}
              and account_id = pair.account and converted_at <= ${at.until}
            order by converted_at desc, id desc limit 1
        ) as id from ${pairsIn(db, at.pairs, ['device', 'account'])} as pair
      ) as last join conversions on conversions.id = last.id
      order by converted_at desc, conversions.id desc limit 1`.compile(db),
}))

interface CreditNames {
  campaign_name: string | null
  objective: Static<(typeof lineItemFields)['objective']['schema']>
}

/** The names of what is credited. */
export const namesOfCredit = query<{ account: string; lineItem: string }, CreditNames>(
  'namesOfCredit',
  (db, at) =>
    db
      .selectFrom('line_items')
      .innerJoin('campaigns', (join) =>
        join
          .onRef('campaigns.account_id', '=', 'line_items.account_id')
          .onRef('campaigns.id', '=', 'line_items.campaign_id'),
      )
      .select(['campaigns.name as campaign_name', 'line_items.objective'])
      .where('line_items.account_id', '=', at.account)
      .where('line_items.id', '=', at.lineItem),
)
