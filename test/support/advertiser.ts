import { openAccount } from '../../src/api/ads/accounts/open.ts'
import type { AccountRow } from '../../src/api/ads/accounts/tables.ts'
import { campaigns } from '../../src/api/ads/campaigns/campaigns.ts'
import { listQuery } from '../../src/api/ads/entity/queries.ts'
import type { Entity, WriteContext } from '../../src/api/ads/entity/types.ts'
import { createItem } from '../../src/api/ads/entity/write.ts'
import { fundingInstruments } from '../../src/api/ads/funding-instruments/funding-instruments.ts'
import { lineItems } from '../../src/api/ads/line-items/line-items.ts'
import type { Context } from '../../src/app/start/context.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * An advertiser, who creates what a test needs in an account by the rules of the API, but without
 * calls.
 */
export class Advertiser {
  readonly account: AccountRow
  readonly #context: Context
  readonly #caller: WriteContext['caller']

  private constructor(context: Context, caller: WriteContext['caller'], account: AccountRow) {
    this.#context = context
    this.#caller = caller
    this.account = account
  }

  /** Opens an account that belongs to a user, who calls through an app. */
  static async open(
    context: Context,
    userId: string,
    environment: 'production' | 'sandbox' = 'production',
    appId = '1',
  ): Promise<Advertiser> {
    const account = await context.store.write((tx) =>
      openAccount(tx, { environment, name: 'Test account', ownerUserId: userId }, context),
    )
    return new Advertiser(context, { userId, app: { id: appId } }, account)
  }

  /**
   * Creates an entity of any kind. Values are as rules see them: times in milliseconds, lists as
   * lists.
   */
  async make(entity: unknown, values: Values): Promise<{ id: string } & Values> {
    return this.#context.store.write((tx) => createItem(entity as Entity, values, this.work(tx)))
  }

  /** The context of changes of the account by its owner. */
  work(tx: WriteContext['tx']): WriteContext {
    return {
      tx,
      scope: { accountId: this.account.id, account: this.account, roles: ['ACCOUNT_ADMIN'] },
      caller: this.#caller,
      context: this.#context,
      now: this.#context.clock.now(),
    }
  }

  /** The promotable user id of the account's own user. */
  async promotableUser(): Promise<string> {
    const query = listQuery({
      table: 'promotable_users',
      columns: ['id'],
      narrowings: [],
      sort: [{ column: 'id', descending: false }],
      visibilities: [0],
      after: false,
    })
    const row = await this.#context.store.first(query, { account: this.account.id, limit: 1 })
    return String(row?.id)
  }

  fund(values: Values = {}) {
    return this.make(fundingInstruments, {
      currency: 'USD',
      type: 'CREDIT_LINE',
      start_time: this.#context.clock.now(),
      ...values,
    })
  }

  async campaign(values: Values = {}) {
    const { funding_instrument_id = (await this.fund()).id, ...rest } = values
    return this.make(campaigns, { name: 'Test campaign', funding_instrument_id, ...rest })
  }

  async lineItem(values: Values = {}) {
    const { campaign_id = (await this.campaign()).id, ...rest } = values
    return this.make(lineItems, {
      campaign_id,
      objective: 'ENGAGEMENTS',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_SERVICE'],
      ...rest,
    })
  }
}
