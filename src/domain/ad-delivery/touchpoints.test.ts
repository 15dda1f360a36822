import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellsByHour, clickId, clickOf, clickTime, countClicks } from './clicks.ts'
import { cellText } from './ledger.ts'
import { touchpointsIn } from './touchpoints.ts'
import { AT, DELIVERED } from './metrics.ts'
import { hashText } from './random.ts'

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 2, 1)

function row({
  audience,
  hours,
}: {
  audience: number
  hours: readonly Partial<Record<'impressions' | 'engagements' | 'url_clicks', number>>[]
}) {
  const cells = hours.map((figures, hour) => {
    const counts = new Array<number>(DELIVERED.length).fill(0)
    for (const [name, value] of Object.entries(figures)) counts[AT[name as 'impressions']] = value
    const fromMs = START + hour * HOUR_MS
    return cellText({ fromMs, untilMs: fromMs + HOUR_MS, counts }, START)
  })
  const sum = (name: 'impressions' | 'engagements') => hours.reduce((all, one) => all + (one[name] ?? 0), 0)
  return {
    ...{
      promotion_id: 'g5nx7xt5zrpc',
      line_item_id: 'l',
      campaign_id: 'c',
      funding_instrument_id: 'f',
      post_id: null,
      from_time: START,
    },
    about: JSON.stringify({ audience }),
    cells: cells
      .slice(0, -1)
      .map((cell) => `${cell},`)
      .join(''),
    last_cell: cells.at(-1) ?? '',
    impressions: sum('impressions'),
    engagements: sum('engagements'),
  }
}

test('an identifier of a click names it, and no other text does', () => {
  const clicks = [
    { promotion: 'g5nx7xt5zrpc', hour: 492_000, index: 0 },
    { promotion: '1', hour: 0, index: 7 },
    { promotion: 'zzzzzzzzzzzz', hour: 2 ** 24 - 1, index: 2 ** 24 - 1 },
  ]
  for (const click of clicks) {
    const id = clickId(click)
    assert.match(id, /^[0-9a-z]{25}$/)
    assert.deepEqual(clickOf(id), click)
    const last = id.at(-1) === '0' ? '1' : '0'
    assert.equal(clickOf(id.slice(0, -1) + last), undefined)
  }
  for (const other of ['', 'x', 'z'.repeat(25), '0'.repeat(24), 'A'.repeat(25)])
    assert.equal(clickOf(other), undefined, other)
})

test('clicks on links are spread over their hours, each with a number of its own', () => {
  const rows = [row({ audience: 10, hours: [{ url_clicks: 2 }, {}, { url_clicks: 1 }] })]
  const hours = cellsByHour(rows, { fromMs: START, untilMs: START + 3 * HOUR_MS })
  assert.deepEqual(
    [...hours].map(([hour, cells]) => [
      hour - START / HOUR_MS,
      countClicks(cells),
      ...[0, 1, 2].map((index) => Number(clickTime(cells, index)) - START),
    ]),
    [
      [0, 2, 900_000, 2_700_000, Number.NaN],
      [1, 0, Number.NaN, Number.NaN, Number.NaN],
      [2, 1, 2 * HOUR_MS + 1_800_000, Number.NaN, Number.NaN],
    ],
  )
})

test('every engagement and every impression falls on one person of the audience', () => {
  const audience = 50
  const touchpointsOf = touchpointsIn(
    row({
      audience,
      hours: [
        { impressions: 20, engagements: 3 },
        { impressions: 30, engagements: 7 },
      ],
    }),
  )
  const people = Array.from({ length: 20_000 }, (_, at) => hashText(`person ${at}`))
  const end = START + 2 * HOUR_MS
  const all = people.map((person) => touchpointsOf(person, end))
  const share = (of: typeof all, name: keyof (typeof all)[number]) =>
    of.filter((one) => one[name] !== null).length / of.length
  assert.ok(Math.abs(share(all, 'engagedAtMs') - 10 / audience) < 0.02)
  assert.equal(share(all, 'viewedAtMs'), 1)
  const early = people.map((person) => touchpointsOf(person, START + HOUR_MS))
  assert.ok(Math.abs(share(early, 'engagedAtMs') - 3 / audience) < 0.02)
  assert.ok(Math.abs(share(early, 'viewedAtMs') - 20 / audience) < 0.02)
  for (const [at, one] of early.entries())
    if (one.engagedAtMs !== null) assert.equal(one.engagedAtMs, all[at]?.engagedAtMs)
  for (const one of all) assert.ok(Number(one.viewedAtMs) < end)
  assert.deepEqual(touchpointsOf(people[0] ?? 0, START), { engagedAtMs: null, viewedAtMs: null })
})

test('more impressions than people fall on each of them again, and the last one counts', () => {
  const touchpointsOf = touchpointsIn(row({ audience: 1, hours: [{ impressions: 4 }, { impressions: 4 }] }))
  const viewed = (beforeMs: number) => Number(touchpointsOf(7, START + beforeMs).viewedAtMs) - START
  assert.equal(viewed(2 * HOUR_MS), 2 * HOUR_MS - HOUR_MS / 8)
  assert.equal(viewed(HOUR_MS / 2), (3 * HOUR_MS) / 8)
})
