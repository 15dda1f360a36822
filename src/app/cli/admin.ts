import { adminToken } from '../../api/admin/access.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AdminTarget } from '../admin-client.ts'
import type { Call } from './command.ts'
import { hasInstallation, withInstallation } from './installation.ts'
import { findRunning } from './running.ts'

/** The admin API of the running Plaza. */
export async function adminTarget(config: Config): Promise<AdminTarget> {
  const consoleUrl = findRunning(config).facts.console_url
  // A ready file does not hold the master key: with it alone, the caller counts as a program on
  // this machine.
  if (config.readyFile !== undefined || !hasInstallation(config)) return { consoleUrl }
  return { consoleUrl, token: await withInstallation(config, async ({ sealer }) => adminToken(sealer)) }
}

/** `plaza admin-token`. */
export async function printToken({ flags, config }: Call): Promise<number> {
  const token = await withInstallation(config, async ({ sealer }) => adminToken(sealer))
  console.log(flags.on('json') ? JSON.stringify({ token }) : token)
  return 0
}
