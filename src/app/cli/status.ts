import { callAdmin } from '../admin-client.ts'
import { adminTarget } from './admin.ts'
import type { Call } from './command.ts'
import { numberOf } from './values.ts'

interface Status {
  version: string
  node_version: string
  pid: number
  uptime_seconds: number
  mode: string
  hardened: boolean
  ready: boolean
  problems: string[]
  urls: { core: string; ads: string; ads_sandbox: string; console: string }
  clock: { now: string; frozen: boolean }
  consumers: { name: string; events: number; seconds: number }[]
  tasks: { kind: string; state: string; count: number }[]
  deliveries: { webhooks_waiting: number; next_due_at?: string }
  streams: number
  rate_limits: string
  memory: { resident_bytes: number }
  disk?: { folder: string; free_bytes: number; total_bytes: number }
}

/** `plaza status`: exits with 1 if the running Plaza is not ready. */
export async function status({ flags, config }: Call): Promise<number> {
  const now = await callAdmin<Status>(await adminTarget(config), 'GET', '/status')
  console.log(flags.on('json') ? JSON.stringify(now) : asText(now))
  return now.ready ? 0 : 1
}

const MODES: Readonly<Record<string, string>> = {
  memory: 'in memory',
  data: 'in a data folder',
  postgresql: 'in PostgreSQL',
}

function asText(now: Status): string {
  const behind = now.consumers.filter(({ events }) => events > 0)
  const waiting = now.tasks.reduce((sum, { state, count }) => (state === 'dead' ? sum : sum + count), 0)
  const dead = now.tasks.reduce((sum, { state, count }) => (state === 'dead' ? sum + count : sum), 0)
  const { webhooks_waiting, next_due_at } = now.deliveries
  return [
    `Plaza       ${now.version}, Node ${now.node_version}, process ${now.pid}, up ${durationOf(now.uptime_seconds)}`,
    `State       ${now.ready ? 'ready' : 'not ready'}${now.hardened ? ', hardened' : ''}`,
    ...now.problems.map((problem) => `            ${problem}`),
    `Data        ${MODES[now.mode] ?? now.mode}`,
    `Core API    ${now.urls.core}`,
    `Ads API     ${now.urls.ads}`,
    `Sandbox     ${now.urls.ads_sandbox}`,
    `Console     ${now.urls.console}`,
    `Clock       ${now.clock.now}${now.clock.frozen ? ' (frozen)' : ''}`,
    `Events      ${behind.length === 0 ? 'all handled' : behind.map(({ name, events }) => `${name} is ${events} behind`).join(', ')}`,
    `Tasks       ${waiting} waiting or running, ${dead} dead`,
    `Deliveries  ${webhooks_waiting === 0 ? 'none wait' : `${webhooks_waiting} webhooks wait, the next until ${next_due_at}`}`,
    `Streams     ${now.streams} open`,
    `Limits      ${now.rate_limits}`,
    `Memory      ${megabytes(now.memory.resident_bytes)}`,
    ...(now.disk ? [`Disk        ${megabytes(now.disk.free_bytes)} free at ${now.disk.folder}`] : []),
  ].join('\n')
}

const BYTES_PER_MEGABYTE = 1_000_000

const megabytes = (bytes: number) => `${Math.round(bytes / BYTES_PER_MEGABYTE).toLocaleString('en')} MB`

function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`)
  return shown.length === 0 ? '0s' : shown.slice(0, 2).join(' ')
}

const DEFAULT_LINES = 100
const MAX_LINES = 1_000
const WAIT_SECONDS = 20

/** `plaza logs`: with `--follow`, until the running Plaza or the command is stopped. */
export async function logs({ flags, config }: Call): Promise<number> {
  const limit = numberOf(flags, 'lines', DEFAULT_LINES, MAX_LINES)
  const admin = await adminTarget(config)
  const read = (query: string) =>
    callAdmin<{ number: number; line: string }[]>(admin, 'GET', `/logs?${query}`)
  let last = 0
  const print = (lines: { number: number; line: string }[]) => {
    for (const { number, line } of lines) {
      last = number
      console.log(line)
    }
  }
  print(await read(`limit=${limit}`))
  while (flags.on('follow'))
    print(await read(`limit=${MAX_LINES}&after=${last}&wait_seconds=${WAIT_SECONDS}`))
  return 0
}

interface Setting {
  name: string
  value: string
  changed: boolean
}

/** `plaza settings show`. */
export async function showSettings(call: Call): Promise<number> {
  const admin = await adminTarget(call.config)
  return printSettings(call, await callAdmin<Setting[]>(admin, 'GET', '/settings'))
}

/** `plaza settings set`. */
export async function setSetting(call: Call): Promise<number> {
  const [name = '', value = ''] = call.positionals
  const admin = await adminTarget(call.config)
  const settings = await callAdmin<Setting[]>(admin, 'PUT', '/settings', { [name]: givenValue(value) })
  return printSettings(
    call,
    settings.filter((one) => one.name === name),
  )
}

/** An object of limits is JSON. */
function givenValue(text: string): unknown {
  if (!text.startsWith('{')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function printSettings({ flags }: Call, settings: readonly Setting[]): number {
  for (const { name, value, changed } of settings)
    console.log(
      flags.on('json')
        ? JSON.stringify({ name, value, changed })
        : `${name.padEnd(32)}  ${value}${changed ? '  (changed)' : ''}`,
    )
  return 0
}
