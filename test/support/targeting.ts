import { webEventTags } from '../../src/api/ads/web-event-tags/web-event-tags.ts'
import { Advertiser } from './advertiser.ts'
import { Client, demoKeys, type Reply } from './client.ts'
import type { Opened, Stage } from './stages.ts'

export type Data = Record<string, unknown> & { id: string }
export type Told = Record<string, string>

export const dataOf = (reply: Reply) => (reply.json as { data: Data }).data
export const listOf = (reply: Reply) => (reply.json as { data: Data[] }).data
export const errorsOf = (reply: Reply) => (reply.json as { errors?: Told[] }).errors ?? []
export const operationErrorsOf = (reply: Reply) =>
  (reply.json as { operation_errors?: Told[][] }).operation_errors ?? []
export const cursorIn = (reply: Reply) => (reply.json as { next_cursor: string | null }).next_cursor

/** What a criterion is made from. */
export interface Criterion {
  targeting_type: string
  targeting_value: string
  operator_type?: string
}

/** A Plaza with an advertiser who uses targeting. */
export class Targeter {
  readonly opened: Opened
  readonly client: Client

  private constructor(opened: Opened) {
    this.opened = opened
    this.client = new Client(opened.plaza)
  }

  static async open(stage: Stage): Promise<Targeter> {
    return new Targeter(await stage.open({ rateLimits: 'off', activeCampaigns: 1000 }))
  }

  get userId(): string {
    return this.opened.plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
  }

  /** A separate account for each test. */
  account(): Promise<Advertiser> {
    return Advertiser.open(this.opened.plaza.context, this.userId)
  }

  /** A call; `path` follows the version. */
  call(method: string, path: string, form?: Record<string, string>): Promise<Reply> {
    const url = `${this.opened.plaza.urls.ads}/12${path}`
    return this.client.signed(method, url, demoKeys(this.opened.plaza), form ? { form } : {})
  }

  post(path: string, json: unknown): Promise<Reply> {
    const url = `${this.opened.plaza.urls.ads}/12${path}`
    return this.client.signed('POST', url, demoKeys(this.opened.plaza), { json })
  }

  /** Adds one criterion to a line item. */
  target(one: Advertiser, lineItem: string, criterion: Criterion): Promise<Reply> {
    return this.call('POST', `/accounts/${one.account.id}/targeting_criteria`, {
      line_item_id: lineItem,
      ...criterion,
    })
  }

  /** Adds many at once. */
  targetAll(one: Advertiser, lineItem: string, criteria: readonly Criterion[]): Promise<Reply> {
    return this.post(
      `/batch/accounts/${one.account.id}/targeting_criteria`,
      criteria.map((criterion) => ({
        operation_type: 'Create',
        params: { line_item_id: lineItem, ...criterion },
      })),
    )
  }

  async close(): Promise<void> {
    await this.client.close()
    await this.opened.close()
  }
}

export const UNITED_STATES = '96683cc9126741d1'

/** A line item whose videos are shown before others. */
export const prerollLineItem = (one: Advertiser) =>
  one.lineItem({ objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: ['IAB2'] })

/** A web event tag of an account. */
export const makeWebEventTag = (one: Advertiser, values: Readonly<Record<string, unknown>> = {}) =>
  one.make(webEventTags, {
    name: 'A web event tag',
    type: 'PURCHASE',
    click_window: 30,
    view_through_window: 1,
    retargeting_enabled: false,
    ...values,
  })
