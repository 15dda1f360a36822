import { DatabaseSync } from 'node:sqlite'
import { rowOf } from '../src/api/ads/catalogs/upsert.ts'
import { Client, expectStatus, signedHeader } from './client.ts'
import { closedLoop, median, type Server, type Wire } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { type RunningPlaza, startPlaza } from './processes.ts'

// Product catalogs: how fast products are accepted, and the cost of a catalog of a million products
// compared with one of a thousand.

const SMALL = 1_000
const AT_ONCE = 25
const PRODUCTS_TARGET = 5_000
const RATIO_TARGET = 1.3
const SET_TARGET_SECONDS = 10
const WARM_UP_SECONDS = 4
const PROBES = 300
const PAGE = 100
const DEEP = 500
/** How often another caller sends a request while a set is processed. */
const PROBE_EVERY_MS = 5

type Add = (figure: Figure) => void

const item = (n: number) => ({
  id: `sku-${String(n).padStart(8, '0')}`,
  title: `Running shoes number ${n}`,
  description: `Light shoes for long ways, made of ${n} threads. `.repeat(8),
  availability: 'in stock',
  condition: 'new',
  price: `${(n % 500) + 1}.00 USD`,
  link: `https://shop.example.com/products/${n}`,
  image_link: `https://shop.example.com/images/${n}.jpg`,
  brand: 'Acme',
  inventory: (n % 100) + 1,
  product_type: 'Home > Women > Shoes',
  google_product_category: 'Apparel & Accessories > Shoes',
  custom_label_0: n % 2 === 0 ? 'even' : 'odd',
})

/** Ids that count up, as the program's own do. */
const idOf = (n: number) => String(1_700_000_000_000_000_000n + BigInt(n))

interface Seeded {
  id: string
  count: number
}

/** Writes a catalog with this many products into the store of a stopped Plaza. */
function addProducts(
  db: DatabaseSync,
  at: { user: string; environment: string; first: number; count: number },
): Seeded {
  const { user, environment, first, count } = at
  const catalog_id = idOf(first)
  db.prepare('INSERT INTO product_catalogs VALUES (?, ?, ?, ?, ?, 0, 0, ?)').run(
    catalog_id,
    environment,
    user,
    'Bench',
    count,
    Date.now(),
  )
  let add: ReturnType<typeof db.prepare> | undefined
  db.exec('BEGIN')
  for (let n = 0; n < count; n++) {
    const place = { catalog_id, product_key: idOf(first + 1 + n), revision: n + 1, item_group_key: null }
    const row = rowOf(item(n), place)
    const columns = Object.keys(row)
    add ??= db.prepare(`INSERT INTO products (${columns.join()}) VALUES (${columns.map(() => '?').join()})`)
    add.run(...Object.values(row))
  }
  db.exec('COMMIT')
  return { id: catalog_id, count }
}

interface Sides {
  plaza: RunningPlaza
  client: Client
  /** On production. */
  big: Seeded
  /** On the sandbox, because a user has one on each side. */
  small: Seeded
  smallClient: Client
}

async function seeded(folder: string, rows: number): Promise<Sides> {
  const first = await startPlaza({ folder })
  await first.process.stop()
  const db = new DatabaseSync(`${first.data}/plaza.db`)
  db.exec('PRAGMA synchronous = OFF')
  const { id: user } = db.prepare("SELECT id FROM users WHERE screen_name = 'owner'").get() as { id: string }
  const began = performance.now()
  const big = addProducts(db, { user, environment: 'production', first: 0, count: rows })
  const small = addProducts(db, { user, environment: 'sandbox', first: 10 * rows, count: SMALL })
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  console.log(
    `\ncatalogs: seeded ${rows + SMALL} products in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  const plaza = await startPlaza({ folder })
  const client = new Client({ port: plaza.adsPort, tls: false, connections: 1 })
  const smallClient = new Client({ port: plaza.sandboxPort, tls: false, connections: 1 })
  return { plaza, client, big, small, smallClient }
}

/** Measures product catalogs. */
export async function measureCatalogs(
  folder: string,
  { add, seconds, rounds, rows }: { add: Add; seconds: number; rounds: number; rows: number },
): Promise<void> {
  const sides = await seeded(folder, rows)
  try {
    await pages(sides, add)
    await singles(sides, add)
    await filteredSet(sides, add)
    await upserts(sides, { add, seconds, rounds })
  } finally {
    await sides.client.close()
    await sides.smallClient.close()
    await sides.plaza.process.stop()
  }
}

const path = ({ id }: Seeded, rest: string) => `/12/product_catalogs/${id}${rest}`

/** The same call about both catalogs in turn. */
async function beside(
  { client, smallClient, big, small }: Sides,
  {
    name,
    add,
    call,
  }: { name: string; add: Add; call(of: Seeded, probe: number): { path: string; json?: unknown } },
): Promise<void> {
  const times: [number[], number[]] = [[], []]
  for (let probe = -50; probe < PROBES; probe++) {
    for (const [side, of] of [big, small].entries()) {
      const { path: target, json } = call(of, probe)
      const method = json === undefined ? 'GET' : 'PUT'
      const authorization = signedHeader(method, target)
      const began = performance.now()
      const sent = { method, path: target, authorization, ...(json !== undefined && { json }) } as const
      const answer = await (side === 0 ? client : smallClient).send(sent)
      const took = performance.now() - began
      if (answer.status !== 200 || answer.text.includes('"errors":["'))
        throw new Error(`${target}: ${answer.text}`)
      if (probe >= 0) times[side]?.push(took)
    }
  }
  const [slow, fast] = [median(times[0]), median(times[1])]
  add({
    name: `catalogs: ${name}, ${big.count} | ${small.count}`,
    unit: 'ms',
    plaza: slow,
    bare: fast,
    ratio: slow / fast,
    target: `ratio ≤ ${RATIO_TARGET}`,
    pass: slow / fast <= RATIO_TARGET,
  })
}

async function pages(sides: Sides, add: Add): Promise<void> {
  await beside(sides, {
    name: 'the first page',
    add,
    call: (of) => ({ path: path(of, `/products?count=${PAGE}`) }),
  })
  const deep = new Map<string, string>()
  for (const [client, of, page] of [
    [sides.client, sides.big, Math.min(DEEP, sides.big.count / PAGE - 1)],
    [sides.smallClient, sides.small, 3],
  ] as const) {
    let cursor = ''
    for (let n = 0; n < page; n++) {
      const answer = await client.signed({
        method: 'GET',
        path: path(of, `/products?count=${PAGE}${cursor}`),
      })
      const { next_cursor } = JSON.parse(expectStatus(answer, 200, 'a page').text)
      cursor = `&cursor=${next_cursor}`
    }
    deep.set(of.id, path(of, `/products?count=${PAGE}${cursor}`))
  }
  await beside(sides, {
    name: `page ${DEEP} (beside page 3)`,
    add,
    call: (of) => ({ path: deep.get(of.id) ?? '' }),
  })
}

/** One product that is changed, anywhere in the catalog, and one that is new. */
async function singles(sides: Sides, add: Add): Promise<void> {
  let turn = 0
  await beside(sides, {
    name: 'change of a product',
    add,
    call: (of, probe) => ({
      path: path(of, '/products'),
      json: { products: [{ ...item(((probe + 50) * 7919) % of.count), size: `x${turn++}` }] },
    }),
  })
  await beside(sides, {
    name: 'a new product',
    add,
    call: (of, probe) => ({
      path: path(of, '/products'),
      json: { products: [{ ...item(of.count + probe + 50), id: `new-${(probe * 7919) % 100_003}` }] },
    }),
  })
}

/** A set whose filters find half of a great catalog, while others continue asking. */
async function filteredSet({ client, big, plaza }: Sides, add: Add): Promise<void> {
  const db = new DatabaseSync(`${plaza.data}/plaza.db`, { readOnly: true })
  const status = db.prepare('SELECT processing_status FROM product_sets WHERE id = ?')
  const waits: number[] = []
  const quiet: number[] = []
  const probe = async (times: number[]) => {
    const began = performance.now()
    expectStatus(await client.signed({ method: 'GET', path: '/12/product_catalogs' }), 200, 'catalogs')
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
  }
  try {
    for (let n = 0; n < PROBES; n++) await probe(quiet)
    const began = performance.now()
    const answer = await client.signed({
      method: 'POST',
      path: path(big, '/product_sets'),
      json: {
        name: 'Half',
        type: 'FILTERED',
        filters: [
          { attribute: 'custom_label_0', operator: 'MATCH', value: 'even' },
          { attribute: 'price', operator: 'GREATER_THAN', value: '0.50 USD' },
        ],
      },
    })
    // Its products would be most of what is sent: only the status is asked for, and of the store.
    const id = /"data":\{"id":"(\d+)"/.exec(expectStatus(answer, 201, 'a set').text)?.[1] ?? ''
    while (status.get(id)?.processing_status === 'PROCESSING') await probe(waits)
    const took = (performance.now() - began) / 1000
    if (status.get(id)?.processing_status !== 'DONE') throw new Error('the set was not processed')
    add({
      name: `catalogs: a filtered set over ${big.count} products`,
      unit: 's',
      plaza: took,
      target: `< ${SET_TARGET_SECONDS}`,
      pass: took < SET_TARGET_SECONDS,
    })
    const p99 = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]
    add({
      name: 'catalogs: p99 of others meanwhile | before',
      unit: 'ms',
      plaza: p99(waits),
      bare: p99(quiet),
    })
    add({
      name: 'catalogs: median of others meanwhile | before',
      unit: 'ms',
      plaza: median(waits),
      bare: median(quiet),
    })
    const deleted = performance.now()
    await client.signed({ method: 'DELETE', path: path(big, `/product_sets/${id}`) })
    const remains = db.prepare('SELECT count(*) AS left FROM catalog_removals')
    while (remains.get()?.left !== 0) await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS))
    const removed = (performance.now() - deleted) / 1000
    add({ name: `catalogs: until a set of ${big.count / 2} products is removed`, unit: 's', plaza: removed })
  } finally {
    db.close()
  }
}

/** Requests with as many products as one may have, all of them new. */
async function upserts(
  { plaza, big }: Sides,
  { add, seconds, rounds }: { add: Add; seconds: number; rounds: number },
): Promise<void> {
  const server: Server = { port: plaza.adsPort, cpuMicroseconds: () => plaza.process.cpuMicroseconds() }
  let serial = 0
  const target = path(big, '/products')
  const request = (): Wire => {
    const products = Array.from({ length: AT_ONCE }, () => ({ ...item(serial), id: `fresh-${serial++}` }))
    return {
      method: 'PUT',
      path: target,
      headers: { authorization: signedHeader('PUT', target), 'content-type': 'application/json' },
      body: JSON.stringify({ products }),
    }
  }
  const rates: number[] = []
  let errors = 0
  for (let round = -1; round < rounds; round++) {
    const duration = round < 0 ? WARM_UP_SECONDS : seconds
    const load = await closedLoop(server, request, { tls: false, seconds: duration })
    if (round < 0) continue
    rates.push(load.perSecond * AT_ONCE)
    errors += load.errors
  }
  const rate = median(rates)
  add({
    name: `catalogs: products upserted, ${AT_ONCE} a request`,
    unit: '/s',
    plaza: rate,
    target: `≥ ${PRODUCTS_TARGET}`,
    pass: rate >= PRODUCTS_TARGET && errors === 0,
  })
  if (errors > 0) console.log(`  ${errors} errors`)
}
