import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, constants as fileConstants, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './closed-loop.ts'
import type { Figure } from './figure.ts'
import { COMMAND, startPlaza } from './processes.ts'

// How long it takes to save and restore a data folder, as its posts make it: about 1 GB for a
// million. npm run bench -- snapshots [--rows N] [--rounds N]

const GB = 1e9
const TARGET_COPY_SECONDS = 5
const TARGET_REFLINK_SECONDS = 1

export async function measureSnapshots(
  folder: string,
  { rows, rounds, add }: { rows: number; rounds: number; add(figure: Figure): void },
): Promise<void> {
  console.log(`\nsnapshots: a data folder with ${rows.toLocaleString('en')} posts`)
  const byReference = copiesByReference(folder)
  const first = await startPlaza({ folder })
  await first.process.stop()
  await generatePosts(first.data, rows)
  const plaza = await startPlaza({ folder })
  const call = async (method: 'POST' | 'DELETE', path: string, json?: unknown) => {
    const url = `http://127.0.0.1:${plaza.consolePort}/admin/v1/snapshots${path}`
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(url, {
      method,
      ...(json !== undefined && { headers, body: JSON.stringify(json) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text
  }
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return (performance.now() - started) / 1000
  }
  const saves: number[] = []
  const restorations: number[] = []
  let bytes = 0
  try {
    for (let round = 0; round < rounds; round++) {
      saves.push(
        await timed(async () => {
          const saved = JSON.parse(await call('POST', '', { name: 'bench' })) as { data: { bytes: number } }
          bytes = saved.data.bytes
        }),
      )
      restorations.push(await timed(() => call('POST', '/bench/restore')))
      await call('DELETE', '/bench')
    }
  } finally {
    await plaza.process.stop()
  }
  const limit = (byReference ? TARGET_REFLINK_SECONDS : TARGET_COPY_SECONDS) * Math.max(1, bytes / GB)
  const how = byReference ? 'copied by reference' : 'copied'
  add({ name: 'snapshots: size', unit: 'GB', plaza: bytes / GB })
  for (const [name, times] of [
    ['save', saves],
    ['restore', restorations],
  ] as const) {
    const seconds = median(times)
    add({
      name: `snapshots: ${name}, ${how}`,
      unit: 's',
      plaza: seconds,
      target: `≤ ${limit.toFixed(1)} s`,
      pass: seconds <= limit,
    })
  }
}

/** Whether the file system of a folder shares the blocks of copies. */
function copiesByReference(folder: string): boolean {
  const [from, to] = ['reflink-from', 'reflink-to'].map((name) => join(folder, name)) as [string, string]
  try {
    writeFileSync(from, 'x')
    copyFileSync(from, to, fileConstants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    for (const file of [from, to]) rmSync(file, { force: true })
  }
}

async function generatePosts(data: string, count: number): Promise<void> {
  const args = [COMMAND, 'generate', 'posts', '--data', data, '--count', String(count), '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`plaza generate posts ended with ${code}`)
}
