import { setTimeout as sleep } from 'node:timers/promises'
import { bearerOf, Client } from './client.ts'
import type { Figure } from './figure.ts'
import { startPlaza } from './processes.ts'
import { BenchStream } from './stream-reader.ts'
import { numberIn, publish, STREAM_ARGS } from './streams.ts'

// Every post on the firehose: published as fast as it goes, and received once over all partitions.
// npm run bench -- firehose [--seconds N]

const PARTITIONS = 20
const WRITERS = 64
const AUTHORS = 20
const TARGET_PER_SECOND = 3_000
/** How long to wait for lines after the last post. */
const GRACE_MS = 10_000

export async function measureFirehose(
  folder: string,
  { add, seconds }: { add(figure: Figure): void; seconds: number },
): Promise<void> {
  console.log(`\nfirehose: posts for ${seconds} s to ${PARTITIONS} partitions`)
  const plaza = await startPlaza({ folder, spares: AUTHORS, more: STREAM_ARGS })
  const client = new Client({ port: plaza.process.port, tls: false, connections: WRITERS })
  const received: number[] = []
  try {
    const bearer = await bearerOf(client)
    const path = '/2/posts/firehose/stream'
    for (let partition = 1; partition <= PARTITIONS; partition++)
      await BenchStream.open(
        { port: plaza.process.port, bearer, path, query: `?partition=${partition}` },
        (line) => received.push(numberIn(line)),
      )
    const published: number[] = []
    const began = performance.now()
    const spentBefore = plaza.process.cpuMicroseconds()
    const write = async () => {
      while (performance.now() - began < seconds * 1000) published.push(await publish(client, 'to all'))
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    const perSecond = (published.length * 1000) / (performance.now() - began)
    for (let ms = 0; ms < GRACE_MS && received.length < published.length; ms += 50) await sleep(50)
    add({
      name: 'firehose: posts published',
      unit: '/s',
      plaza: perSecond,
      target: `≥ ${TARGET_PER_SECOND}`,
      pass: perSecond >= TARGET_PER_SECOND,
    })
    const spent = plaza.process.cpuMicroseconds()
    if (spent !== undefined && spentBefore !== undefined)
      add({
        name: 'firehose: processor time of Plaza for a post',
        unit: 'µs',
        plaza: (spent - spentBefore) / published.length,
      })
    const lost = published.length - new Set(received).size
    const repeated = received.length - new Set(received).size
    add({ name: 'firehose: posts that did not come', unit: '', plaza: lost, target: '0', pass: lost === 0 })
    add({
      name: 'firehose: posts that came twice',
      unit: '',
      plaza: repeated,
      target: '0',
      pass: repeated === 0,
    })
  } finally {
    await client.close()
    await plaza.process.stop()
  }
}
