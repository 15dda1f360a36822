import { readFileSync, writeFileSync } from 'node:fs'
import { Client } from 'undici'
import { deliveryBody } from './delivery-body.ts'

// What deliveries are measured against: the same client library in a loop that posts the same
// bodies over as many connections, signs nothing and stores nothing.

/** What it is told to do. */
export interface BarePosts {
  origin: string
  /** PEM of the authority of the origin. */
  ca?: string
  connections: number
  count: number
}

const [, ready = '', file = ''] = process.argv.slice(2)
const { origin, ca, connections, count } = JSON.parse(readFileSync(file, 'utf8')) as BarePosts
const headers = { 'content-type': 'application/json' }
let next = 0

async function loop(hook: number): Promise<void> {
  const client = new Client(origin, { connect: { ca, noDelay: true } })
  while (next < count) {
    const body = deliveryBody(next++)
    const reply = await client.request({ method: 'POST', path: `/${hook}`, headers, body })
    await reply.body.dump()
  }
  await client.close()
}

writeFileSync(ready, '')
await Promise.all(Array.from({ length: connections }, (_, n) => loop(n)))
