import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { callAdmin, downloadAdmin, uploadAdmin } from '../admin-client.ts'
import { adminTarget } from './admin.ts'
import { type Call, UsageError } from './command.ts'

interface Snapshot {
  name: string
  saved_at: string
  clock: { now: string; frozen: boolean }
  bytes: number
}

const FILE_MODE = 0o600

/** `plaza snapshot save`. */
export async function save(call: Call): Promise<number> {
  const { config, positionals, flags } = call
  const [name] = positionals
  const body = { ...(name !== undefined && { name }), replace: flags.on('replace') }
  return print(call, await callAdmin<Snapshot>(await adminTarget(config), 'POST', '/snapshots', body))
}

/** `plaza snapshot list`. */
export async function list(call: Call): Promise<number> {
  const snapshots = await callAdmin<Snapshot[]>(await adminTarget(call.config), 'GET', '/snapshots')
  for (const snapshot of snapshots) print(call, snapshot)
  return 0
}

/** `plaza snapshot restore`. */
export async function restore(call: Call): Promise<number> {
  return print(
    call,
    await callAdmin<Snapshot>(await adminTarget(call.config), 'POST', `${pathOf(call)}/restore`),
  )
}

/** `plaza snapshot delete`. */
export async function remove(call: Call): Promise<number> {
  await callAdmin(await adminTarget(call.config), 'DELETE', pathOf(call))
  return 0
}

/** `plaza snapshot export`. */
export async function exportFile(call: Call): Promise<number> {
  const file = call.positionals[1] ?? ''
  const archive = await downloadAdmin(await adminTarget(call.config), `${pathOf(call)}/export`)
  const target = createWriteStream(file, { flags: 'wx', mode: FILE_MODE })
  try {
    await pipeline(archive, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`the file ${file} exists already`)
    // A part of a snapshot is of no use.
    await rm(file, { force: true })
    throw error
  }
  return 0
}

/** `plaza snapshot import`. */
export async function importFile(call: Call): Promise<number> {
  const [file = ''] = call.positionals
  const name = call.flags.text('name')
  const query = new URLSearchParams({
    ...(name !== undefined && { name }),
    replace: String(call.flags.on('replace')),
  })
  const target = await adminTarget(call.config)
  const source = createReadStream(file)
  await new Promise((resolve, reject) => source.once('open', resolve).once('error', reject)).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new UsageError(`there is no file ${file}`) : error
    },
  )
  return print(call, await uploadAdmin<Snapshot>(target, `/snapshots/import?${query}`, source))
}

/** `plaza reset`. */
export async function reset(call: Call): Promise<number> {
  const { seeded_at } = await callAdmin(await adminTarget(call.config), 'POST', '/reset')
  console.log(call.flags.on('json') ? JSON.stringify({ seeded_at }) : `Reset to the seed of ${seeded_at}.`)
  return 0
}

const pathOf = ({ positionals: [name = ''] }: Call) => `/snapshots/${encodeURIComponent(name)}` as const

function print({ flags }: Call, data: Snapshot): number {
  const { name, saved_at, clock, bytes } = data
  const shown = clock.now === saved_at ? '' : `, clock ${clock.now}${clock.frozen ? ' (frozen)' : ''}`
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  console.log(flags.on('json') ? JSON.stringify(data) : `${name}  saved ${saved_at}${shown}  ${size}`)
  return 0
}
