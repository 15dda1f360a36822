import { setTimeout as sleep } from 'node:timers/promises'
import { basicHeader } from '../src/identity/auth/basic.ts'
import { bearerOf, Client } from './client.ts'
import { subscribe } from './deliveries.ts'
import type { Figure } from './figure.ts'
import { appOf, startPlaza } from './processes.ts'
import { BenchStream } from './stream-reader.ts'
import { publish } from './streams.ts'

// The processor time of one activity that one app receives: alone, and beside the streams of many
// apps that receive nothing. npm run bench -- idle-streams

/** A seed has 1,000 apps at most, one of which receives. */
const IDLE_APPS = 999
const EVENTS = 200
const BEFORE = 50
const PAUSE_MS = 20
const TARGET_RATIO = 1.2

export async function measureIdleStreams(
  folder: string,
  { add }: { add(figure: Figure): void },
): Promise<void> {
  console.log(`\nidle streams: one activity beside the streams of ${IDLE_APPS} other apps`)
  const plaza = await startPlaza({ folder, spares: 1, apps: IDLE_APPS })
  const { port } = plaza.process
  const client = new Client({ port, tls: false, connections: 1 })
  const path = '/2/activity/stream'
  try {
    const bearer = await bearerOf(client)
    await subscribe({ client, bearer }, 0, undefined)
    let came = 0
    const streams = [await BenchStream.open({ port, bearer, path }, () => came++)]
    const ofEach = async () => {
      let began = 0
      for (let n = 0; n < BEFORE + EVENTS; n++) {
        if (n === BEFORE) began = plaza.process.cpuMicroseconds() ?? Number.NaN
        const expected = came + 1
        await publish(client, 'to one', 0)
        while (came < expected) await sleep(1)
        await sleep(PAUSE_MS)
      }
      return ((plaza.process.cpuMicroseconds() ?? Number.NaN) - began) / EVENTS / 1e3
    }
    const alone = await ofEach()
    for (let n = 0; n < IDLE_APPS; n++) {
      const { consumerKey, consumerSecret } = appOf(n)
      const idle = await bearerOf(client, basicHeader(consumerKey, consumerSecret))
      streams.push(await BenchStream.open({ port, bearer: idle, path }, () => undefined))
    }
    const beside = await ofEach()
    for (const stream of streams) stream.close()
    const ratio = beside / alone
    add({ name: 'activity: processor time of one event to one stream', unit: 'ms', plaza: alone })
    add({
      name: `activity: the same beside the streams of ${IDLE_APPS} other apps`,
      unit: 'ms',
      plaza: beside,
      ratio,
      target: `ratio ≤ ${TARGET_RATIO}`,
      pass: ratio <= TARGET_RATIO,
    })
  } finally {
    await client.close()
    await plaza.process.stop()
  }
}
