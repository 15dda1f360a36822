import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import { signedHeader } from './client.ts'
import { PUBLIC_HOST } from './processes.ts'

// Uploads of users from a separate thread, so that generating them does not disturb the measurement
// of other calls.

export interface AudienceLoad {
  port: number
  path: string
  /** Operations of an upload, with one user each. */
  operations: number
  /** E-mail addresses of each user. */
  keys: number
  /**
   * Uploads per second, whatever becomes of those before; as many as are answered on the
   * connections without it.
   */
  rate?: number
  connections: number
  uploads: number
}

export interface AudienceLoadResult {
  acknowledged: number
  /** 503: too much waited. */
  turnedAway: number
  failed: number
  seconds: number
  /** Milliseconds from the scheduled time of an upload to its reply. */
  p50: number
  p99: number
}

const HASH_DIGITS = 64

/** The body of an upload of people that no one has seen before. */
function bodyOf({ operations, keys }: AudienceLoad): string {
  const digits = randomBytes((operations * keys * HASH_DIGITS) / 2).toString('hex')
  const parts: string[] = []
  for (let n = 0; n < operations; n++) {
    const hashes: string[] = []
    for (let key = 0; key < keys; key++) {
      const from = (n * keys + key) * HASH_DIGITS
      hashes.push(`"${digits.slice(from, from + HASH_DIGITS)}"`)
    }
    parts.push(`{"operation_type":"Update","params":{"users":[{"email":[${hashes.join()}]}]}}`)
  }
  return `[${parts.join()}]`
}

async function run(load: AudienceLoad): Promise<AudienceLoadResult> {
  const { port, path, rate, connections, uploads } = load
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  const counts = { acknowledged: 0, turnedAway: 0, failed: 0 }
  const latencies: number[] = []
  const began = performance.now()
  let next = 0

  async function upload(due: number): Promise<void> {
    const authorization = signedHeader('POST', path)
    const headers = { host: PUBLIC_HOST, authorization, 'content-type': 'application/json' }
    try {
      const reply = await pool.request({ method: 'POST', path, headers, body: bodyOf(load) })
      await reply.body.dump()
      if (reply.statusCode === 200) counts.acknowledged++
      else if (reply.statusCode === 503) counts.turnedAway++
      else counts.failed++
      latencies.push(performance.now() - due)
    } catch {
      counts.failed++
    }
  }

  if (rate === undefined)
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next++ < uploads) await upload(performance.now())
      }),
    )
  else {
    const sent: Promise<void>[] = []
    while (next < uploads) {
      const due = began + (next++ * 1000) / rate
      const wait = due - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      sent.push(upload(due))
    }
    await Promise.all(sent)
  }
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
  return { ...counts, seconds, p50: at(0.5), p99: at(0.99) }
}

parentPort?.postMessage(await run(workerData as AudienceLoad))
