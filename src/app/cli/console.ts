import { spawn } from 'node:child_process'
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
  const url = findRunning(config).facts.console_url
  const key = config.readyFile === undefined ? await ownKey(config) : await keyOfRunning(config)
  const link = `${url}/sign-in#${key}`
  if (flags.on('json')) {
    console.log(JSON.stringify({ url, key, link }))
    return 0
  }
  console.log(`Console  ${link}\nThe link signs in once, within 10 minutes.`)
  if (process.stdout.isTTY && !flags.on('no-browser')) openBrowser(link)
  return 0
}

const ownKey = (config: Config) =>
  withInstallation(config, async ({ sealer }) => newConsoleKey({ sealer, now: systemClock.now() }))

/** With a ready file alone, the master key is not known here. */
const keyOfRunning = async (config: Config) =>
  (await callAdmin<{ key: string }>(await adminTarget(config), 'POST', '/console_keys')).key

/** Opens a page in the browser of the desktop, if there is one. */
function openBrowser(url: string): void {
  const programs: Readonly<Record<string, readonly string[]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  }
  const [program = '', ...args] = programs[process.platform] ?? ['xdg-open']
  const opened = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  opened.on('error', () => undefined)
  opened.unref()
}
