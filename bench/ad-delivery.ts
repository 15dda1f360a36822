import { promotedPosts } from '../src/api/ads/promoted-posts/promoted-posts.ts'
import { readStats } from '../src/api/ads/stats/reply.ts'
import { targetingCriteria } from '../src/api/ads/targeting/criteria.ts'
import { startServer } from '../src/app/server.ts'
import { cellText } from '../src/domain/ad-delivery/ledger.ts'
import { addDeliveries } from '../src/domain/ad-delivery/queries.ts'
import { ManualClock } from '../src/platform/common/clock.ts'
import { configOf } from '../src/platform/config/config.ts'
import { Advertiser } from '../test/support/advertiser.ts'
import { makePost } from '../test/support/posts.ts'
import { median } from './closed-loop.ts'
import type { Figure } from './figure.ts'

// A day of delivery of 1,000 line items, computed at once, and figures of a ledger of a year.
// npm run bench -- ad-delivery

const LINE_ITEMS = 1_000
const PER_CAMPAIGN = 100
const POPULATION = 2_000
const KEYWORDS = ['bicycle', 'coffee', 'music', 'football', 'garden', 'travel', 'books', 'cooking']
const DAYS = 5
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 2, 1, 8)
const TARGET_DAY_MS = 1_000
const TARGET_STATS_MS = 100
const YEAR_DAYS = 365
const MOST_IDS = 20
const PROBES = 20

export async function measureAdDelivery(
  folder: string,
  { add }: { add(figure: Figure): void },
): Promise<void> {
  console.log(`\nad-delivery: ${LINE_ITEMS} line items`)
  const clock = new ManualClock(START_MS)
  const plaza = await startServer(
    configOf({
      data: folder,
      corePort: 0,
      adsPort: 0,
      adsSandboxPort: 0,
      consolePort: 0,
      logLevel: 'silent',
      seed: 'demo',
      seedPopulation: POPULATION,
      ffmpeg: 'none',
    }),
    { clock, backgroundTasks: false },
  )
  try {
    const { context } = plaza
    const owner = String(plaza.seeded?.users[0]?.id)
    const one = await Advertiser.open(context, owner)
    const { id: post_id } = await makePost(context, { authorId: owner })
    const lineItems: string[] = []
    for (let at = 0, campaign_id = ''; at < LINE_ITEMS; at++) {
      if (at % PER_CAMPAIGN === 0) campaign_id = (await one.campaign()).id
      const { id } = await one.lineItem({ campaign_id, daily_budget_amount_local_micro: 5_000_000 })
      lineItems.push(id)
      await one.make(promotedPosts, { line_item_id: id, post_id })
      const targeting_value = String(KEYWORDS[at % KEYWORDS.length])
      await one.make(targetingCriteria, {
        line_item_id: id,
        targeting_type: 'BROAD_KEYWORD',
        targeting_value,
      })
    }
    const days: number[] = []
    for (let day = 0; day < DAYS; day++) {
      clock.advance(DAY_MS)
      const before = process.cpuUsage()
      await context.delivery.complete(one.account.id)
      const { user, system } = process.cpuUsage(before)
      days.push((user + system) / 1_000)
    }
    const dayMs = median(days)
    add({
      name: `ad-delivery: processor time of a day of ${LINE_ITEMS} line items`,
      unit: 'ms',
      plaza: dayMs,
      target: `< ${TARGET_DAY_MS}`,
      pass: dayMs < TARGET_DAY_MS,
    })
    await addYear(plaza.context, one, lineItems.slice(0, MOST_IDS))
    const stats = await statsMs(plaza.context, one, lineItems)
    add({
      name: 'ad-delivery: analytics in a year of hours',
      unit: 'ms',
      plaza: stats,
      target: `< ${TARGET_STATS_MS}`,
      pass: stats < TARGET_STATS_MS,
    })
  } finally {
    await plaza.close()
  }
}

type Context = Awaited<ReturnType<typeof startServer>>['context']

const LEDGER_MS = START_MS - YEAR_DAYS * DAY_MS

/** A ledger of a year before, for some line items: every hour. */
async function addYear({ store }: Context, { account }: Advertiser, lineItems: readonly string[]) {
  for (const id of lineItems) {
    const rows = Array.from({ length: YEAR_DAYS }, (_, day) => {
      const from_time = LEDGER_MS + day * DAY_MS
      const cells = Array.from({ length: 24 }, (_, hour) => {
        const counts = Array.from({ length: 25 }, (_, metric) => 1_000 - metric)
        const fromMs = from_time + hour * HOUR_MS
        return cellText({ fromMs, untilMs: fromMs + HOUR_MS, counts }, from_time)
      })
      return {
        promotion_id: `${id}p`,
        from_time,
        until_time: from_time + DAY_MS,
        line_item_id: id,
        campaign_id: `${id}c`,
        funding_instrument_id: `${id}f`,
        post_id: null,
        about: '{"audience":1000}',
        impressions: 24_000,
        engagements: 24_000,
        charged: 24_000,
        cells: cells
          .slice(0, -1)
          .map((cell) => `${cell},`)
          .join(''),
        last_cell: cells.at(-1),
      }
    })
    await store.write((tx) => tx.run(addDeliveries, { account: account.id, rows: JSON.stringify(rows) }))
  }
}

/** The most that one call reads: 20 line items for 7 days by the hour. */
async function statsMs({ store }: Context, { account }: Advertiser, lineItems: readonly string[]) {
  const times: number[] = []
  for (let probe = 0; probe < PROBES; probe++) {
    const start_time = LEDGER_MS + (100 + probe) * DAY_MS
    const began = performance.now()
    const { data } = await readStats(
      account.id,
      {
        entity: 'LINE_ITEM',
        entity_ids: lineItems.slice(0, MOST_IDS),
        start_time,
        end_time: start_time + 7 * DAY_MS,
        granularity: 'HOUR',
        placement: 'ALL_ON_SERVICE',
        metric_groups: ['BILLING', 'ENGAGEMENT', 'VIDEO'],
        segmentation_type: null,
        country: null,
        platform: null,
      },
      store,
    )
    times.push(performance.now() - began)
    if (data.length !== MOST_IDS || !data[0]?.id_data[0]?.metrics.impressions) throw new Error('no figures')
  }
  return median(times)
}
