import { setTimeout as sleep } from 'node:timers/promises'
import { bearerOf, Client } from './client.ts'
import { median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { startPlaza } from './processes.ts'
import { BenchStream } from './stream-reader.ts'
import { addRules, numberIn, publish, STREAM_ARGS } from './streams.ts'

// Streams that connect, stall and die for minutes beside healthy readers: memory stays flat, and a
// healthy reader gets every post. npm run bench -- stream-soak [--minutes N]

const HEALTHY = 10
const AUTHORS = 20
const PAUSE_MS = 5
const SAMPLE_MS = 1_000
const WARM_UP_SHARE = 0.4
const FLAT = 1.05
const SLACK_MB = 16
const GRACE_MS = 10_000

export async function measureStreamSoak(
  folder: string,
  { add, minutes }: { add: (figure: Figure) => void; minutes: number },
): Promise<void> {
  console.log(`\nstream-soak: streams that connect, stall and die for ${minutes} minutes`)
  const more = [...STREAM_ARGS, '--stream-buffer-kilobytes', '256']
  const plaza = await startPlaza({ folder, spares: AUTHORS, more })
  const client = new Client({ port: plaza.process.port, tls: false, connections: 16 })
  const endsAt = performance.now() + minutes * 60_000
  const isOver = () => performance.now() >= endsAt
  try {
    const bearer = await bearerOf(client)
    await addRules(client, bearer, ['benchmarked'])
    const at = { port: plaza.process.port, bearer }
    const seen = Array.from({ length: HEALTHY }, () => new Set<number>())
    const healthy: BenchStream[] = []
    for (const own of seen) healthy.push(await BenchStream.open(at, (line) => void own.add(numberIn(line))))
    const published: number[] = []
    const samples: number[] = []
    await Promise.all([
      repeat(isOver, PAUSE_MS, async () => void published.push(await publish(client, 'x'.repeat(200)))),
      repeat(isOver, 100, () => comeAndGo(at)),
      repeat(isOver, 1_000, () => stall(at)),
      repeat(isOver, SAMPLE_MS, async () => {
        samples.push((plaza.process.residentBytes() ?? Number.NaN) / 2 ** 20)
      }),
    ])
    for (let ms = 0; ms < GRACE_MS && seen.some(({ size }) => size < published.length); ms += 100)
      await sleep(100)
    for (const stream of healthy) stream.close()
    const lost = seen.reduce((sum, own) => sum + published.filter((number) => !own.has(number)).length, 0)
    add({ name: 'stream-soak: posts', unit: '', plaza: published.length })
    add({
      name: 'stream-soak: posts that a healthy reader missed',
      unit: '',
      plaza: lost,
      target: '0',
      pass: lost === 0,
    })
    judge(samples, add)
  } finally {
    await client.close()
    await plaza.process.stop()
  }
}

async function repeat(isOver: () => boolean, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    await work()
    await sleep(pauseMs)
  }
}

/** Connects, reads for a moment and dies. */
async function comeAndGo(at: { port: number; bearer: string }): Promise<void> {
  const stream = await BenchStream.open({ ...at, query: '?backfill_minutes=1' }, () => undefined)
  await sleep(50)
  stream.close()
}

/** Connects and never reads: the server disconnects it, or the process closes it much later. */
async function stall(at: { port: number; bearer: string }): Promise<void> {
  const stream = await BenchStream.open({ ...at, query: '?backfill_minutes=5' }, () => undefined)
  stream.reply.pause()
  setTimeout(() => stream.close(), 60_000).unref()
}

function judge(samples: readonly number[], add: (figure: Figure) => void): void {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
  const quarter = Math.max(1, Math.floor(warm.length / 4))
  const [first, last] = [median(warm.slice(0, quarter)), median(warm.slice(-quarter))]
  add({
    name: 'stream-soak: resident memory at the end, compared with after the warm-up',
    unit: 'MB',
    plaza: last,
    bare: first,
    ratio: last / first,
    target: `≤ ${FLAT}`,
    pass: last <= first * FLAT + SLACK_MB,
  })
}
