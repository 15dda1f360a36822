import { systemClock } from '../../platform/common/clock.ts'
import { newConsoleKey } from '../console/access.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'
import { findRunning } from './running.ts'

/** `plaza console`. */
export async function run({ flags, config }: Call): Promise<number> {
  const { facts } = findRunning(config)
  const key = await withInstallation(config, async ({ sealer }) =>
    newConsoleKey({ sealer, now: systemClock.now() }),
  )
  const url = facts.console_url
  if (flags.on('json')) console.log(JSON.stringify({ url, key }))
  else console.log(`Console  ${url}\nKey      ${key}\nThe key signs in for 10 minutes.`)
  return 0
}
