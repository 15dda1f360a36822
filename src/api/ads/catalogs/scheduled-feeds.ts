import { Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { long } from '../../../platform/http/schema.ts'
import { AdsApiError, adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint } from '../endpoint.ts'
import { paging } from '../entity/list.ts'
import { rejectChanged } from '../entity/write.ts'
import { catalogLock, catalogParams, findCatalog, limited, ONE, SOURCE } from './catalog.ts'
import { feedSchedule, repeat, ScheduledFeed, shownFeed, wrongSchedule } from './feed-schedule.ts'
import { addFeed, changeFeed, feedOfCatalog, removeFeed } from './queries.ts'
import type { ProductFeedRow } from './tables.ts'

const FEEDS = `${ONE}/scheduled_feeds`
const FEED = `${FEEDS}/{scheduled_feed_id}`
const CODES = ['NOT_FOUND', 'UNAUTHORIZED_CLIENT_APPLICATION'] as const
const RULE_CODES = ['EXCLUSIVE_PARAMETERS', 'INVALID', ...CODES] as const

const params = { ...catalogParams, scheduled_feed_id: long('The schedule.') }
/** Replies and errors name the schedule `id`. */
const echo = { parameters: { scheduled_feed_id: { as: 'id' } } }

export const listScheduledFeeds = adsEndpoint({
  id: 'listScheduledFeeds',
  method: 'GET',
  path: FEEDS,
  summary: 'List scheduled feeds',
  description: 'Returns the schedule by which the file of products is read, if there is one.',
  source: SOURCE,
  limits: limited(1000),
  params: catalogParams,
  query: paging(),
  codes: CODES,
  data: Type.Array(ScheduledFeed),
  beside: ['cursor'],
  async handle(call, context) {
    const { id } = await findCatalog(call, context)
    const feed = await context.store.first(feedOfCatalog, { catalog: id })
    return { data: feed ? [shownFeed(feed)] : [], next_cursor: null }
  },
})

export const createScheduledFeed = adsEndpoint({
  id: 'createScheduledFeed',
  method: 'POST',
  path: FEEDS,
  summary: 'Schedule a feed',
  description:
    'Stores when a file of products is to be read: a user has one schedule. Plaza does not fetch the file; `plaza import products` reads one.',
  source: SOURCE,
  limits: limited(20),
  params: catalogParams,
  form: { ...feedSchedule, repeat },
  status: 201,
  codes: RULE_CODES,
  data: ScheduledFeed,
  async handle(call, { store, config, ids, clock }) {
    const lock = catalogLock(call, config)
    const now = clock.now()
    const feed = await store.write(async (tx) => {
      const { id: catalog_id } = await lock(tx)
      if (await tx.first(feedOfCatalog, { catalog: catalog_id })) throw adsApiError(second)
      const row = { repeat: null, ...call.form, id: ids.next(), catalog_id, created_at: now, updated_at: now }
      return put(row, (checked) => tx.run(addFeed, checked))
    })
    return { data: shownFeed(feed) }
  },
})

const second = wrongAttribute('product_catalog_id', msg`The user already has a scheduled feed`)

export const updateScheduledFeed = adsEndpoint({
  id: 'updateScheduledFeed',
  method: 'PUT',
  path: FEED,
  summary: 'Change a scheduled feed',
  description: 'Changes the members that are sent. With the frequency `DAILY`, `repeat` is removed.',
  source: SOURCE,
  limits: limited(20),
  params,
  echo,
  form: Type.Partial(Type.Object({ ...feedSchedule, repeat })).properties,
  readOnly: {
    id: ScheduledFeed.properties.id,
    product_catalog_id: ScheduledFeed.properties.product_catalog_id,
  },
  codes: RULE_CODES,
  data: ScheduledFeed,
  async handle(call, { store, config, clock }) {
    const lock = catalogLock(call, config)
    const { form } = call
    const feed = await store.write(async (tx) => {
      const before = await known(tx, (await lock(tx)).id, call.params.scheduled_feed_id)
      rejectChanged(call.sentBack, { id: before.id, product_catalog_id: before.catalog_id })
      const cleared = form.frequency === 'DAILY' && form.repeat === undefined ? { repeat: null } : {}
      return put({ ...before, ...form, ...cleared, updated_at: clock.now() }, (row) =>
        tx.run(changeFeed, row),
      )
    })
    return { data: shownFeed(feed) }
  },
})

export const deleteScheduledFeed = adsEndpoint({
  id: 'deleteScheduledFeed',
  method: 'DELETE',
  path: FEED,
  summary: 'Delete a scheduled feed',
  description: 'Deletes the schedule. Products that were imported stay.',
  source: SOURCE,
  limits: limited(20),
  params,
  echo,
  codes: CODES,
  data: ScheduledFeed,
  async handle(call, { store, config }) {
    const lock = catalogLock(call, config)
    const feed = await store.write(async (tx) => {
      const before = await known(tx, (await lock(tx)).id, call.params.scheduled_feed_id)
      await tx.run(removeFeed, { id: before.id })
      return before
    })
    return { data: shownFeed(feed) }
  },
})

/** Stores a schedule. Throws its errors. */
async function put(row: ProductFeedRow, write: (row: ProductFeedRow) => Promise<unknown>) {
  const errors = wrongSchedule(row)
  if (errors.length > 0) throw new AdsApiError({ errors })
  await write(row)
  return row
}

async function known(tx: Pick<Transaction | Store, 'first'>, catalog: string, id: string) {
  const feed = await tx.first(feedOfCatalog, { catalog })
  if (feed?.id === id) return feed
  throw rejected('scheduled_feed_id', msg`Scheduled feed ${id} was not found`, 'NOT_FOUND')
}
