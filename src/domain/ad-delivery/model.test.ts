import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fractions, seededRandom } from '../../platform/common/random.ts'
import { AT, type Creative, type DeliveredMetric, ratesOf } from './metrics.ts'
import { type DeliveringLineItem, type Delivery, deliver } from './model.ts'
import { activeDays, hourEnd } from './pace.ts'
import { newSpending, type Purse } from './purse.ts'
import { hashText } from './random.ts'
import { DAY_MS, HOUR_MS, timeZone } from './time-zone.ts'

const PLAIN: Creative = { link: true, card: true, video: false, carousel: false, poll: false, app: false }
const VIDEO: Creative = { ...PLAIN, video: true, app: true, poll: true }
const START_MS = Date.UTC(2030, 0, 7)
const DOLLAR = 1_000_000

const purse = (id: string, limits: Partial<Pick<Purse, 'daily' | 'total'>> = {}): Purse => ({
  id,
  daily: null,
  total: null,
  spending: newSpending(),
  ...limits,
})

const lineItem = (given: Partial<DeliveringLineItem> = {}, creative = PLAIN): DeliveringLineItem => {
  const id = given.id ?? 'line'
  return {
    ...purse(id),
    hash: hashText(id),
    campaign: purse('campaign'),
    funding: purse('funding'),
    startMs: null,
    endMs: null,
    isEven: true,
    audience: 100_000,
    unit: 'impressions',
    price: 5_000,
    winRate: 1,
    cap: null,
    promotions: [0, 1].map((n) => ({
      id: `${id}.${n}`,
      hash: hashText(`${id}.${n}`),
      rates: ratesOf(creative, false),
      carry: [],
    })),
    shown: { window: 0, impressions: 0, carry: 0 },
    ...given,
  }
}

interface Simulation {
  readonly zone?: string
  readonly fromMs?: number
  readonly hours: number
  readonly seed?: number
  afterEach?(deliveries: readonly Delivery[], hour: number): void
}

/** Delivers hour by hour, as the clocks of a zone show them. */
function simulate(
  lineItems: readonly DeliveringLineItem[],
  { zone = 'UTC', fromMs = START_MS, hours, seed = 1, afterEach }: Simulation,
): Delivery[] {
  const dayAt = activeDays(timeZone(zone))
  const all: Delivery[] = []
  let time = fromMs
  for (let hour = 0; hour < hours; hour++) {
    const until = hourEnd(timeZone(zone), time)
    const deliveries = deliver(lineItems, { fromMs: time, untilMs: until, day: dayAt(time) }, seed)
    afterEach?.(deliveries, hour)
    all.push(...deliveries)
    time = until
  }
  return all
}

const sum = (deliveries: readonly Delivery[], metric: DeliveredMetric) =>
  deliveries.reduce((total, { counts }) => total + (counts[AT[metric]] ?? 0), 0)
const spend = (deliveries: readonly Delivery[]) => sum(deliveries, 'billed_charge_local_micro')

describe('the model of delivery', () => {
  test('the same line items and seed yield the same deliveries, another seed others', () => {
    const made = (seed: number) =>
      simulate([lineItem({ daily: 20 * DOLLAR })], { hours: 48, seed }).map(({ counts }) => counts)
    assert.deepEqual(made(1), made(1))
    assert.notDeepEqual(made(1), made(2))
  })

  test('what is stored between two hours changes nothing', () => {
    const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
    const run = (isStored: boolean) => {
      const cap = { impressions: 2, windowMs: DAY_MS, fromMs: START_MS }
      const unit = { unit: 'engagements', price: 200_000 } as const
      let one = lineItem({ daily: 20 * DOLLAR, campaign: purse('c', { total: 70 * DOLLAR }), cap, ...unit })
      const counts: (readonly number[])[] = []
      for (let hour = 0; hour < 100; hour++) {
        counts.push(
          ...simulate([one], { fromMs: START_MS + hour * HOUR_MS, hours: 1 }).map((made) => made.counts),
        )
        if (isStored) one = stored(one)
      }
      return counts
    }
    assert.deepEqual(run(true), run(false))
  })

  test('the money for the last unit is spent, however many promotions share it', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const promoted = lineItem().promotions
      const promotions = [...promoted, ...promoted, ...promoted].slice(0, 1 + (seed % 5))
      const limits = { daily: 20 * DOLLAR, total: 50 * DOLLAR, unit: 'engagements', price: 200_000 } as const
      const one = lineItem({
        ...limits,
        promotions: promotions.map((each, at) => ({ ...each, id: `p${at}`, hash: hashText(`p${at}`) })),
      })
      simulate([one], { hours: promotions.length === 1 ? 96 : 168, seed })
      assert.equal(one.spending.spent, 50 * DOLLAR, `seed ${seed}`)
    }
  })

  test('money is spent in proportion to the activity of the day, and all of it', () => {
    const one = lineItem({ daily: 100 * DOLLAR })
    const day = activeDays(timeZone('UTC'))(START_MS)
    simulate([one], {
      hours: 24,
      afterEach(_, hour) {
        const expected = 100 * DOLLAR * day.shareUntil(START_MS + (hour + 1) * HOUR_MS)
        assert.ok(Math.abs(one.spending.spent - expected) <= expected / 10 + 5_000, `hour ${hour}`)
      },
    })
    assert.ok(one.spending.spent > 99.9 * DOLLAR && one.spending.spent <= 100 * DOLLAR)
  })

  test('units that cost more than an hour may spend are spread too', () => {
    const one = lineItem({ daily: 5 * DOLLAR, unit: 'engagements', price: 200_000 })
    const hours: number[] = []
    simulate([one], { hours: 24, afterEach: (made) => hours.push(spend(made)) })
    assert.ok(one.spending.spent >= 4.4 * DOLLAR, String(one.spending.spent))
    assert.ok(Math.max(...hours) <= DOLLAR, hours.join())
  })

  test('as fast as possible spends the money of the day in its first hours', () => {
    const one = lineItem({ daily: 50 * DOLLAR, isEven: false, audience: 10_000_000 })
    const first = simulate([one], { hours: 2 })
    assert.ok(spend(first) >= 49.9 * DOLLAR)
    assert.equal(spend(simulate([one], { fromMs: START_MS + 2 * HOUR_MS, hours: 20 })), 0)
    assert.ok(spend(simulate([one], { fromMs: START_MS + DAY_MS, hours: 1 })) > 0)
  })

  test('a total budget without a daily one is spread over the flight', () => {
    const one = lineItem({ total: 100 * DOLLAR, endMs: START_MS + 10 * DAY_MS })
    const days: number[] = []
    for (let day = 0; day < 10; day++)
      days.push(spend(simulate([one], { fromMs: START_MS + day * DAY_MS, hours: 24 })))
    for (const spent of days) assert.ok(Math.abs(spent - 10 * DOLLAR) < 0.5 * DOLLAR, days.join())
    assert.ok(one.spending.spent <= 100 * DOLLAR)
  })

  test('nothing is delivered before the start and after the end, to the second', () => {
    const startMs = START_MS + 90 * 60_000 + 17_000
    const endMs = START_MS + 5 * HOUR_MS + 1_000
    const made = simulate([lineItem({ startMs, endMs })], { hours: 24 })
    assert.ok(made.length > 0)
    for (const { fromMs, untilMs } of made) assert.ok(fromMs >= startMs && untilMs <= endMs)
    assert.equal(Math.min(...made.map(({ fromMs }) => fromMs)), startMs)
  })

  test('a person sees no more than the frequency cap allows in each window', () => {
    const cap = { impressions: 1, windowMs: 7 * DAY_MS, fromMs: START_MS }
    const made = simulate([lineItem({ cap, audience: 1_000 })], { hours: 14 * 24 })
    for (const week of [0, 1]) {
      const inWeek = made.filter(({ fromMs }) => Math.floor((fromMs - START_MS) / cap.windowMs) === week)
      assert.equal(sum(inWeek, 'impressions'), 1_000)
    }
  })

  test('in an A/B test, impressions from before it count for the people of the share who saw them', () => {
    const cap = { impressions: 2, windowMs: 14 * DAY_MS, fromMs: START_MS }
    const one = lineItem({ cap, audience: 1_000 })
    const during = (values: object, day: number, days: number) =>
      sum(
        simulate([{ ...one, ...values }], { fromMs: START_MS + day * DAY_MS, hours: days * 24 }),
        'impressions',
      )
    const before = sum(simulate([one], { hours: 12 }), 'impressions')
    assert.ok(before > 400 && before < 1_000, String(before))
    const seen = before / 10
    assert.equal(during({ share: ['t', 0, 1_000], audience: 100 }, 1, 7), Math.floor(200 - seen))
    // The others go on after it.
    assert.equal(during({}, 8, 6), 2_000 - before - Math.floor(200 - seen))
    assert.equal(during({ share: ['u', 0, 5_000], audience: 500 }, 14, 7), 1_000)
  })

  test('a local day has its own budget, also with 23 and 25 hours', () => {
    const zone = 'America/New_York'
    for (const [date, hours] of [
      [Date.UTC(2030, 2, 10, 5), 23],
      [Date.UTC(2030, 10, 3, 4), 25],
      [Date.UTC(2030, 5, 1, 4), 24],
    ] as const) {
      const { startMs, endMs } = timeZone(zone).dayAt(date)
      assert.deepEqual([startMs, (endMs - startMs) / HOUR_MS], [date, hours])
      const one = lineItem({ daily: 10 * DOLLAR })
      assert.ok(Math.abs(spend(simulate([one], { zone, fromMs: date, hours })) - 10 * DOLLAR) < 10_000)
    }
  })

  test('the days of a zone with half hours begin at its midnights', () => {
    const zone = timeZone('Asia/Kolkata')
    const day = zone.dayAt(START_MS)
    assert.equal(day.startMs, Date.UTC(2030, 0, 6, 18, 30))
    assert.equal(hourEnd(zone, START_MS), START_MS + HOUR_MS / 2)
  })

  test('every sum holds for every creative and unit, and no limit is exceeded at any time', () => {
    const random = fractions(seededRandom('ad delivery'))
    const any = <Item>(...items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
    for (let round = 0; round < 60; round++) {
      const funding = purse('funding', { total: any(null, 3 * DOLLAR, 200 * DOLLAR) })
      const campaigns = [0, 1].map((n) =>
        purse(`c${n}`, { daily: any(null, 4 * DOLLAR), total: any(null, 9 * DOLLAR, 50 * DOLLAR) }),
      )
      const units = ['impressions', 'engagements', 'url_clicks', 'follows', 'app_clicks'] as const
      const views = ['video_total_views', 'video_3s100pct_views', 'video_content_starts'] as const
      const items = Array.from({ length: 6 }, (_, n) =>
        lineItem(
          {
            id: `l${n}`,
            funding,
            campaign: campaigns[n % 2] as Purse,
            daily: any(null, DOLLAR, 7 * DOLLAR),
            total: any(null, 2 * DOLLAR, 30 * DOLLAR),
            endMs: any(null, START_MS + 2.3 * DAY_MS),
            isEven: any(true, true, false),
            audience: any(30, 5_000, 400_000),
            unit: any(...units, ...views, 'video_6s_views' as const),
            price: any(5_000, 30_000, 200_000, 800_001),
          },
          VIDEO,
        ),
      )
      simulate(items, {
        hours: 72,
        seed: round,
        afterEach(made) {
          for (const { daily, total, spending } of [...items, ...campaigns, funding]) {
            assert.ok(spending.spent <= (total ?? Number.POSITIVE_INFINITY))
            assert.ok(spending.daySpent <= (daily ?? Number.POSITIVE_INFINITY))
          }
          for (const { counts, lineItem: of } of made) checkCounts(counts, of)
        },
      })
      const spent = items.reduce((total, { spending }) => total + spending.spent, 0)
      assert.equal(funding.spending.spent, spent)
    }
  })
})

function checkCounts(counts: readonly number[], { unit, price }: DeliveringLineItem): void {
  const of = (metric: DeliveredMetric) => counts[AT[metric]] ?? 0
  const inOrder = (...metrics: DeliveredMetric[]) => {
    for (const [at, metric] of metrics.slice(1).entries())
      assert.ok(of(metrics[at] as DeliveredMetric) >= of(metric), `${metrics[at]} ${metric} ${counts}`)
  }
  inOrder('impressions', 'engagements', 'clicks', 'url_clicks')
  inOrder('impressions', 'video_content_starts', 'video_views_25', 'video_views_50', 'video_views_75')
  inOrder('video_content_starts', 'video_total_views', 'video_3s100pct_views')
  inOrder('video_views_75', 'video_views_100')
  inOrder('impressions', 'qualified_impressions')
  assert.ok(
    of('engagements') >= of('clicks') + of('reposts') + of('replies') + of('likes') + of('follows'),
    counts.join(),
  )
  assert.equal(of('billed_engagements'), of(unit))
  assert.equal(of('billed_charge_local_micro'), of(unit) * price)
  assert.ok(counts.every((count) => Number.isSafeInteger(count) && count >= 0))
}
