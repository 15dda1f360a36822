import { systemClock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { callAdmin } from '../admin-client.ts'
import { newConsoleKey } from '../console/access.ts'
import { adminTarget } from './admin.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'
import { findRunning } from './running.ts'

/** `plaza console`. */
export async function run({ flags, config }: Call): Promise<number> {
  const { facts } = findRunning(config)
  const key = config.readyFile === undefined ? await ownKey(config) : await keyOfRunning(config)
  const url = facts.console_url
  if (flags.on('json')) console.log(JSON.stringify({ url, key }))
  else console.log(`Console  ${url}\nKey      ${key}\nThe key signs in for 10 minutes.`)
  return 0
}

const ownKey = (config: Config) =>
  withInstallation(config, async ({ sealer }) => newConsoleKey({ sealer, now: systemClock.now() }))

/** With a ready file alone, the master key is not known here. */
const keyOfRunning = async (config: Config) =>
  (await callAdmin<{ key: string }>(await adminTarget(config), 'POST', '/console_keys')).key
