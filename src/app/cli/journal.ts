import { callAdmin, callWhole, followAdmin } from '../admin-client.ts'
import type { JournalEntry, JournalMessage, JournalSummary } from '../index.ts'
import { adminTarget } from './admin.ts'
import { type Call, UsageError } from './command.ts'
import { stopSignals } from './signals.ts'

/** `plaza journal list`. */
export async function list(call: Call): Promise<number> {
  const { flags, config } = call
  const target = await adminTarget(config)
  const query = queryOf(call)
  const limit = flags.text('limit')
  if (limit !== undefined) query.set('limit', limit)
  const entries = await callAdmin<JournalSummary[]>(target, 'GET', `/journal?${query}`)
  for (const entry of entries.reverse()) print(call, entry)
  if (!flags.on('follow')) return 0
  query.delete('limit')
  const { asked, atOnce } = stopSignals()
  void asked.then(() => atOnce.abort())
  const { signal } = atOnce
  try {
    for await (const entry of followAdmin<JournalSummary>(target, `/journal/stream?${query}`, { signal }))
      print(call, entry)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return 0
}

function queryOf({ flags }: Call): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of ['route', 'status', 'host', 'kind', 'text']) {
    const value = flags.text(name)
    if (value !== undefined) query.set(name, value)
  }
  return query
}

function print({ flags }: Call, entry: JournalSummary): void {
  console.log(flags.on('json') ? JSON.stringify(entry) : lineOf(entry))
}

const lineOf = ({ id, time, status, method, url, duration_ms, error, failure }: JournalSummary): string =>
  [
    `${time.slice(11, 23)} ${status ?? '---'} ${method} ${url} ${duration_ms} ms ${id}`,
    ...(error ? [error.detail] : []),
    ...(failure === undefined ? [] : [failure]),
  ].join('  ')

const entryAt = async ({ positionals, config }: Call, method: 'GET' | 'POST', end = '') =>
  callAdmin<JournalEntry>(
    await adminTarget(config),
    method,
    `/journal/${encodeURIComponent(positionals[0] ?? '')}${end}`,
  )

/** `plaza journal show`. */
export async function show(call: Call): Promise<number> {
  return printEntry(call, await entryAt(call, 'GET'))
}

/** `plaza journal resend`. */
export async function resend(call: Call): Promise<number> {
  return printEntry(call, await entryAt(call, 'POST', '/resend'))
}

function printEntry({ flags }: Call, entry: JournalEntry): number {
  if (flags.on('json')) {
    console.log(JSON.stringify(entry))
    return 0
  }
  const { request, response, explanation } = entry
  console.log(
    [
      lineOf(entry),
      '',
      `${entry.method} ${entry.url}`,
      ...messageLines(request),
      '',
      `${entry.status ?? entry.failure}`,
      ...messageLines(response),
      '',
      ...explanation,
      ...signatureLines(entry),
    ].join('\n'),
  )
  return 0
}

const messageLines = ({ headers, body, body_omitted }: JournalMessage): string[] => [
  ...headers.map(([name, value]) => `${name}: ${value}`),
  ...(body === undefined ? [] : ['', body]),
  ...(body_omitted === undefined ? [] : ['', `(${body_omitted})`]),
]

/** `plaza explain`. */
export async function explain(call: Call): Promise<number> {
  const entry = await entryAt(call, 'GET')
  const { id, explanation, signature } = entry
  if (call.flags.on('json')) console.log(JSON.stringify({ id, explanation, signature }))
  else console.log([...explanation, ...signatureLines(entry)].join('\n'))
  return 0
}

function signatureLines({ signature }: JournalEntry): string[] {
  if (!signature) return []
  const { expected_base_string: expected, client_base_string: client, first_difference: at } = signature
  const lines = [`expected  ${expected}`]
  if (client !== undefined) lines.push(`client    ${client}`)
  if (at !== undefined) lines.push(`${' '.repeat('expected  '.length + at)}^`)
  return lines
}

const FORMATS = ['curl', 'test', 'har'] as const

/** `plaza journal export`. */
export async function exportEntries(call: Call): Promise<number> {
  const { flags, positionals, config } = call
  const format = flags.oneOf('format', FORMATS, 'har')
  const target = await adminTarget(config)
  const [id] = positionals
  if (id === undefined) {
    if (format !== 'har') throw new UsageError(`--format ${format} needs the id of an entry`)
    console.log(
      JSON.stringify(await callWhole(target, 'GET', `/journal/export?${queryOf(call)}`), undefined, 2),
    )
    return 0
  }
  const path = `/journal/${encodeURIComponent(id)}/export?format=${format}` as const
  const { text } = await callAdmin(target, 'GET', path)
  process.stdout.write(String(text))
  return 0
}

/** `plaza journal clear`. */
export async function clear({ config }: Call): Promise<number> {
  await callAdmin(await adminTarget(config), 'DELETE', '/journal')
  return 0
}
