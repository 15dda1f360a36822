import { callAdmin, callWhole } from '../admin-client.ts'
import { endpoints } from '../endpoints.ts'
import { faultsOfRecording, type RecordedFaults } from '../recording/faults.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import { adminTarget } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { readRecording } from './record.ts'
import { quote } from './shell.ts'

type Rule = Readonly<Record<string, unknown>> & { id: string; kind: string; matches: number; hits: number }

/** Flags whose values are numbers, and the members that they set. */
const NUMBERS = ['times', 'every', 'probability', 'status', 'bytes', 'bytes-per-second', 'posts', 'position']
const TEXTS = ['cause', 'latency', 'seed', 'from', 'until', 'host', 'app', 'user', 'after', 'reason']
const MEMBERS: Readonly<Record<string, string>> = {
  'bytes-per-second': 'bytes_per_second',
  app: 'app_id',
  user: 'user_id',
}

/** `plaza fault add`. */
export async function add(call: Call): Promise<number> {
  const [target = '', fault = ''] = call.positionals
  const isStatus = /^[0-9]{3}$/.test(fault)
  const isOfWebhooks = fault.startsWith('webhook_')
  const where = isOfWebhooks ? target !== '*' && { webhook: target } : target !== '/*' && { route: target }
  const body = {
    ...where,
    ...(isStatus ? { kind: 'error', status: Number(fault) } : { kind: fault }),
    ...membersOf(call.flags),
  }
  print(call, await callAdmin<Rule>(await adminTarget(call.config), 'POST', '/faults', body))
  return 0
}

function membersOf(flags: Flags): Record<string, unknown> {
  const given = (names: readonly string[]) =>
    names.flatMap((name): [string, string, string][] => {
      const value = flags.text(name)
      return value === undefined ? [] : [[name, MEMBERS[name] ?? name, value]]
    })
  const numbers = given(NUMBERS).map(([name, member, value]): [string, number] => {
    if (!/^[0-9]{1,10}(\.[0-9]{1,10})?$/.test(value))
      throw new UsageError(`--${name} must be a number, not "${value}"`)
    return [member, Number(value)]
  })
  return Object.fromEntries([...given(TEXTS).map(([, member, value]) => [member, value]), ...numbers])
}

/** `plaza fault from-recording`: adds a rule for each error of a recording. */
export async function addRecorded(call: Call): Promise<number> {
  const { config, flags } = call
  const naming = { vocabulary: openVocabulary(config, endpoints), problemBase: '' }
  const { rules, unknown } = faultsOfRecording(readRecording(call), { endpoints, naming })
  if (flags.on('print')) for (const rule of rules) console.log(commandOf(rule))
  else {
    const target = await adminTarget(config)
    for (const rule of rules) print(call, await callAdmin<Rule>(target, 'POST', '/faults', rule))
  }
  for (const one of unknown) console.error(`No rule for ${one}: no endpoint documents it.`)
  return 0
}

const commandOf = ({ route, status, cause, times }: RecordedFaults['rules'][number]) =>
  `plaza fault add ${quote(route)} ${status} --cause ${quote(String(cause))} --times ${times}`

/** `plaza fault list`. */
export async function list(call: Call): Promise<number> {
  const rules = await callAdmin<Rule[]>(await adminTarget(call.config), 'GET', '/faults')
  for (const rule of rules) print(call, rule)
  return 0
}

/** `plaza fault remove`. */
export async function remove({ config, positionals }: Call): Promise<number> {
  await callWhole(await adminTarget(config), 'DELETE', `/faults/${encodeURIComponent(positionals[0] ?? '')}`)
  return 0
}

/** `plaza fault clear`. */
export async function clear({ config }: Call): Promise<number> {
  await callWhole(await adminTarget(config), 'DELETE', '/faults')
  return 0
}

function print({ flags }: Call, rule: Rule): void {
  console.log(flags.on('json') ? JSON.stringify(rule) : lineOf(rule))
}

/** `f1  POST /2/posts  error  status=429 times=3  0 of 0`. */
function lineOf({ id, kind, route, webhook, matches, hits, position, ...more }: Rule): string {
  const values = Object.entries(more).map(([name, value]) => `${name}=${value}`)
  const where = String(route ?? webhook ?? (kind.startsWith('webhook_') ? '*' : '/*'))
  return [id, where, kind, ...(values.length > 0 ? [values.join(' ')] : []), `${hits} of ${matches}`].join(
    '  ',
  )
}
