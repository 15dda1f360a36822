import { png } from '../test/support/media.ts'
import { type Answer, basic, bearerOf, type Call, Client, expectStatus, signedHeader } from './client.ts'
import { median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { type RunningPlaza, startPlaza } from './processes.ts'

// Mixed load for minutes: the memory of a server must not grow once it is warm. npm run bench --
// soak [--minutes N]

/** Each kind of caller runs so many times beside the others. */
const CALLERS_OF_A_KIND = 2
/** Between two requests of one caller: the load is steady, not the highest. */
const PAUSE_MS = 2
const SAMPLE_MS = 1_000
const PRINT_MS = 15_000
/** Of the whole time; what the process allocates until then is its warm-up. */
const WARM_UP_SHARE = 0.4
/** What the last quarter may take beside the first one after the warm-up. */
const FLAT = 1.05
/** Differences that the garbage collector makes by itself. */
const SLACK_MB = 8
const PRODUCTS = 25
const CATALOG_PRODUCTS = 2_000
/** More files than this would test the disk. */
const PICTURES = 50
const LARGE_FORM_BYTES = 1024 * 1024

export interface SoakOptions {
  add(figure: Figure): void
  minutes: number
}

/** One kind of caller: sends its next request. Throws when the reply is not the expected one. */
type Caller = (turn: number) => Promise<unknown>

/** Loads a separate server and fails when its memory grows. Resolves to whether it was flat. */
export async function measureSoak(folder: string, { add, minutes }: SoakOptions): Promise<boolean> {
  console.log(`\nsoak: mixed load for ${minutes} minutes`)
  const plaza = await startPlaza({ folder })
  const clients = [plaza.process.port, plaza.adsPort, plaza.sandboxPort].map(
    (port) => new Client({ port, tls: false, connections: 8 }),
  )
  try {
    const [core, ads, sandbox] = clients as [Client, Client, Client]
    const callers = await callersOf({ core, ads, sandbox })
    const { samples, sent } = await load(plaza, callers, minutes * 60_000)
    return judge(samples, sent, add)
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await plaza.process.stop()
  }
}

/** Runs every caller until the time is up, and looks at the memory meanwhile. */
async function load(plaza: RunningPlaza, callers: Record<string, Caller>, durationMs: number) {
  const began = performance.now()
  const isOver = () => performance.now() - began >= durationMs
  const sent: Record<string, number> = {}
  const samples: number[] = []
  let failure: unknown
  const run = async (name: string, call: Caller) => {
    while (!isOver() && failure === undefined) {
      const turn = (sent[name] ?? 0) + 1
      sent[name] = turn
      await call(turn).catch((error) => {
        failure ??= error
      })
      await pause(PAUSE_MS)
    }
  }
  const watch = async () => {
    let printed = 0
    while (!isOver() && failure === undefined) {
      await pause(SAMPLE_MS)
      samples.push((plaza.process.residentBytes() ?? Number.NaN) / 2 ** 20)
      const elapsed = performance.now() - began
      if (elapsed - printed < PRINT_MS) continue
      printed = elapsed
      const total = Object.values(sent).reduce((sum, count) => sum + count, 0)
      console.log(
        `  ${(elapsed / 1000).toFixed(0).padStart(5)} s  ${samples.at(-1)?.toFixed(0).padStart(5)} MB  ${total} requests`,
      )
    }
  }
  const running = Object.entries(callers).flatMap(([name, call]) =>
    Array.from({ length: CALLERS_OF_A_KIND }, () => run(name, call)),
  )
  await Promise.all([watch(), ...running])
  if (failure !== undefined) throw failure
  return { samples, sent }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function judge(
  samples: readonly number[],
  sent: Readonly<Record<string, number>>,
  add: SoakOptions['add'],
): boolean {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const quarter = Math.max(1, Math.floor(warm.length / 4))
  const first = median(warm.slice(0, quarter))
  const last = median(warm.slice(-quarter))
  const limit = first * FLAT + SLACK_MB
  const pass = last <= limit
  for (const [name, count] of Object.entries(sent)) add({ name: `soak: ${name}`, unit: '', plaza: count })
  add({ name: 'soak: memory after the warm-up', unit: 'MB', plaza: first })
  add({ name: 'soak: memory at the end', unit: 'MB', plaza: last, target: `< ${limit.toFixed(0)}`, pass })
  add({ name: 'soak: highest memory', unit: 'MB', plaza: Math.max(...samples) })
  return pass
}

const dataOf = (answer: Answer) => (JSON.parse(answer.text) as { data: { id: string } }).data

/** Sends a request whose reply must have this status. */
const sender =
  (client: Client) =>
  async (status: number, call: Omit<Call, 'authorization'>): Promise<Answer> =>
    expectStatus(await client.signed(call), status, `${call.method} ${call.path}`)

async function callersOf({
  core,
  ads,
  sandbox,
}: Record<'core' | 'ads' | 'sandbox', Client>): Promise<Record<string, Caller>> {
  const bearer = `Bearer ${await bearerOf(core)}`
  const read: Call = { method: 'GET', path: '/2/webhooks', authorization: bearer }
  return {
    'bearer reads': async () => expectStatus(await core.send(read), 200, 'a bearer read'),
    ...(await campaignCallers(sender(sandbox))),
    uploads: uploadCaller(sender(core)),
    ...(await catalogCallers(sender(ads))),
    'failing callers': failingCaller(core),
  }
}

type Send = ReturnType<typeof sender>

async function campaignCallers(send: Send): Promise<Record<string, Caller>> {
  const account = `/12/accounts/${dataOf(await send(201, { method: 'POST', path: '/12/accounts' })).id}`
  const funding = await send(201, {
    method: 'POST',
    path: `${account}/funding_instruments`,
    form: [
      ['currency', 'USD'],
      ['type', 'CREDIT_LINE'],
      ['start_time', '2026-01-01'],
      ['credit_limit_local_micro', '500000000'],
    ],
  })
  const create = (): Omit<Call, 'authorization'> => ({
    method: 'POST',
    path: `${account}/campaigns`,
    form: [
      ['funding_instrument_id', dataOf(funding).id],
      ['name', 'Soak'],
      ['daily_budget_amount_local_micro', '1000000'],
    ],
  })
  const campaign = dataOf(await send(201, create())).id
  return {
    'signed reads': () => send(200, { method: 'GET', path: `${account}/campaigns` }),
    writes: (turn) =>
      send(200, {
        method: 'PUT',
        path: `${account}/campaigns/${campaign}`,
        form: [['name', `Soak ${turn}`]],
      }),
    'creates and deletes': async () => {
      const { id } = dataOf(await send(201, create()))
      await send(200, { method: 'DELETE', path: `${account}/campaigns/${id}` })
    },
  }
}

function uploadCaller(send: Send): Caller {
  const pictures = Array.from({ length: PICTURES }, (_, n) => png(200, 200, n).toString('base64'))
  return (turn) =>
    send(200, {
      method: 'POST',
      path: '/1.1/media/upload.json',
      form: [['media_data', pictures[turn % PICTURES] as string]],
    })
}

async function catalogCallers(send: Send): Promise<Record<string, Caller>> {
  const made = await send(201, {
    method: 'POST',
    path: '/12/product_catalogs',
    form: [['name', 'Soak']],
  })
  const path = `/12/product_catalogs/${dataOf(made).id}/products`
  const item = (n: number) => ({
    id: `sku-${n % CATALOG_PRODUCTS}`,
    title: `Shoes ${n}`,
    description: 'Light shoes for long ways',
    availability: 'in stock',
    condition: 'new',
    price: '60.00 USD',
    link: 'https://shop.example.com/p/1',
    image_link: 'https://shop.example.com/p/1.jpg',
    brand: 'Acme',
  })
  return {
    'catalog writes': (turn) =>
      send(200, {
        method: 'PUT',
        path,
        json: { products: Array.from({ length: PRODUCTS }, (_, n) => item(turn * PRODUCTS + n)) },
      }),
    'catalog reads': () => send(200, { method: 'GET', path: `${path}?count=100` }),
  }
}

/** Unauthorized and invalid calls: each must be rejected and leave nothing behind. */
function failingCaller(client: Client): Caller {
  const large: [string, string][] = [['media_data', 'A'.repeat(LARGE_FORM_BYTES)]]
  const upload = { method: 'POST', path: '/1.1/media/upload.json', form: large } as const
  const list = { method: 'GET', path: '/2/webhooks' } as const
  const wrong: [number, () => Call][] = [
    [401, () => ({ ...list, authorization: signedHeader('GET', '/2/other') })],
    [401, () => ({ ...list, authorization: 'Bearer unknown' })],
    [403, () => ({ ...list, authorization: basic })],
    [404, () => ({ ...list, path: '/2/no/such/path', authorization: basic })],
    [405, () => ({ ...list, method: 'PUT', authorization: basic })],
    [400, () => ({ ...upload, authorization: 'Digest none' })],
    [401, () => ({ ...upload, authorization: signedHeader('POST', '/2/other') })],
    [
      400,
      () => ({
        ...list,
        method: 'POST',
        authorization: signedHeader('POST', list.path),
        json: { url: 1 },
      }),
    ],
  ]
  return async (turn) => {
    const [status, call] = wrong[turn % wrong.length] as (typeof wrong)[number]
    const made = call()
    expectStatus(await client.send(made), status, `a wrong ${made.method} ${made.path}`)
  }
}
