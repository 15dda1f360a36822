import { callAdmin } from '../admin-client.ts'
import { adminTarget } from './admin.ts'
import type { Call } from './command.ts'
import { secondsOf } from './values.ts'

const DEFAULT_TIMEOUT_SECONDS = 30

/** `plaza clock show`. */
export async function show(call: Call): Promise<number> {
  return print(call, await callAdmin(await adminTarget(call.config), 'GET', '/clock'))
}

/** `plaza clock set`, `freeze` and `resume`. */
export async function change(
  call: Call,
  body: { now?: string | undefined; frozen?: boolean },
): Promise<number> {
  return print(call, await callAdmin(await adminTarget(call.config), 'PUT', '/clock', body))
}

/** `plaza clock advance`: exits with 1 if not everything that became due was done in time. */
export async function advance(call: Call): Promise<number> {
  const timeout_seconds = secondsOf(call.flags, 'timeout', DEFAULT_TIMEOUT_SECONDS)
  const [by] = call.positionals
  const reading = await callAdmin(await adminTarget(call.config), 'POST', '/clock/advance', {
    by,
    timeout_seconds,
  })
  print(call, reading)
  if (reading.settled === true) return 0
  console.error(`Not everything that became due was done within ${timeout_seconds} s. It goes on.`)
  return 1
}

function print({ flags }: Call, { now, frozen, ...more }: Record<string, unknown>): number {
  if (flags.on('json')) console.log(JSON.stringify({ now, frozen, ...more }))
  else console.log(`${now}${frozen === true ? ' (frozen)' : ''}`)
  return 0
}
