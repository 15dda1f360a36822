import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { systemRandom } from '../../platform/common/random.ts'
import { openFolder } from '../../platform/storage/folder.ts'
import { storedKey } from '../../platform/storage/master-key.ts'
import { callAdmin } from '../admin-client.ts'
import type { AdminTarget } from '../admin-target.ts'
import { rotateKey } from '../start/rotate-key.ts'
import { runningAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { hasInstallation, noInstallation } from './installation.ts'

/**
 * `plaza key rotate`: encrypts every stored secret with a new master key, by the running Plaza or
 * in this process.
 */
export async function rotate(call: Call): Promise<number> {
  const running = await runningAdmin(call.config)
  return running ? rotateRunning(call, running) : rotateStopped(call)
}

/** The key of the running Plaza may come from a setting that this command does not have. */
async function rotateRunning({ flags }: Call, running: AdminTarget): Promise<number> {
  const newKeyFile = flags.text('new-key-file')
  const given = newKeyFile !== undefined && {
    new_key: storedKey(newKeyFile, systemRandom).key.toString('hex'),
  }
  const { key_file } = await callAdmin<{ key_file: string | null }>(running, 'POST', '/key/rotate', {
    ...given,
  })
  const file = key_file ?? (newKeyFile as string)
  print(flags, { isGiven: key_file === null, file })
  return 0
}

async function rotateStopped({ flags, config }: Call): Promise<number> {
  const newKeyFile = flags.text('new-key-file')
  if (!hasInstallation(config)) throw new Error(noInstallation(config))
  const isGiven = config.masterKey !== undefined
  if (isGiven && newKeyFile === undefined)
    throw new UsageError('--new-key-file is missing: the current key comes from a setting')
  if (!isGiven && newKeyFile !== undefined)
    throw new UsageError('--new-key-file is for a key that comes from --master-key or --master-key-file')
  if (!isGiven && !existsSync(join(config.data, 'master.key')))
    throw new Error(`There is no master key in ${config.data}. Pass the current key with --master-key-file.`)
  // A running node holds the lock of the folder: acquiring it shows that no node runs.
  const needsFolder = !isGiven || config.databaseUrl === undefined
  const folder = needsFolder ? openFolder(config.data) : undefined
  try {
    const file = (await rotateKey(config, { folder, newKeyFile })) as string
    print(flags, { isGiven, file })
  } finally {
    folder?.close()
  }
  return 0
}

function print(flags: Flags, { isGiven, file }: { isGiven: boolean; file: string }): void {
  if (flags.on('json')) console.log(JSON.stringify({ key_file: file }))
  else console.log([`Every secret is encrypted with the key in ${file}.`, ...next(isGiven, file)].join('\n'))
}

const next = (isGiven: boolean, file: string) => [
  ...(isGiven ? [`Start every node with --master-key-file ${file}.`] : []),
  'Bearer tokens, browser sessions and sign-ins in progress are no longer valid. The old key still decrypts earlier backups.',
]
