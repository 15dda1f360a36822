import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bearerOf, Client } from './client.ts'
import { closedLoop, type Load, median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { startPlaza } from './processes.ts'

// What the journal costs: the same requests to a Plaza with it and to one without, in turn.
// npm run bench -- journal

const WARM_UP_SECONDS = 6
const TARGET_RATIO = 0.95

export async function measureJournal(
  folder: string,
  { seconds, rounds, add }: { seconds: number; rounds: number; add(figure: Figure): void },
): Promise<void> {
  console.log('\njournal: GET /2/webhooks with a bearer, with the journal and without')
  const sides = await Promise.all(
    (['on', 'off'] as const).map(async (journal) => {
      const own = join(folder, journal)
      mkdirSync(own)
      const plaza = await startPlaza({ folder: own, more: ['--journal', journal] })
      await assertKept(plaza.consolePort, journal)
      const client = new Client({ port: plaza.process.port, tls: false, connections: 1 })
      const headers = { authorization: `Bearer ${await bearerOf(client)}` }
      return {
        server: plaza.process,
        client,
        loads: [] as Load[],
        request: { method: 'GET', path: '/2/webhooks', headers } as const,
      }
    }),
  )
  try {
    for (let round = -1; round < rounds; round++)
      for (const { server, request, loads } of sides) {
        const load = await closedLoop(server, request, {
          tls: false,
          seconds: round < 0 ? WARM_UP_SECONDS : seconds,
        })
        if (round >= 0) loads.push(load)
      }
  } finally {
    for (const { client, server } of sides) {
      await client.close()
      await server.stop()
    }
  }
  const [on, off] = sides.map(({ loads }) => loads) as [Load[], Load[]]
  const ofEach = (loads: Load[], pick: (load: Load) => number | undefined) =>
    median(loads.map((load) => pick(load) ?? Number.NaN))
  const ratio = median(on.map(({ perSecond }, round) => perSecond / (off[round]?.perSecond ?? Number.NaN)))
  const errors = [...on, ...off].reduce((sum, load) => sum + load.errors, 0)
  add({
    name: 'journal: requests, beside a Plaza without it',
    unit: '/s',
    plaza: ofEach(on, ({ perSecond }) => perSecond),
    bare: ofEach(off, ({ perSecond }) => perSecond),
    ratio,
    target: `ratio ≥ ${TARGET_RATIO}`,
    pass: ratio >= TARGET_RATIO && errors === 0,
  })
  add({
    name: 'journal: processor time a request',
    unit: 'µs',
    plaza: ofEach(on, ({ cpuPerRequest }) => cpuPerRequest),
    bare: ofEach(off, ({ cpuPerRequest }) => cpuPerRequest),
  })
}

/** Without this, both sides could be the same. */
async function assertKept(consolePort: number, journal: 'on' | 'off'): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${consolePort}/admin/v1/journal?limit=1`)
  if (status !== (journal === 'on' ? 200 : 404)) throw new Error(`the journal is not ${journal}: ${status}`)
}
