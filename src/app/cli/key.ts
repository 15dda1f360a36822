import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openFolder } from '../../platform/storage/folder.ts'
import { rotateKey } from '../start/rotate-key.ts'
import { type Call, UsageError } from './command.ts'
import { hasInstallation, noInstallation } from './installation.ts'

/** `plaza key rotate`: encrypts every stored secret with a new master key. No node may run. */
export async function rotate({ flags, config }: Call): Promise<number> {
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
    const file = await rotateKey(config, { folder, newKeyFile })
    if (flags.on('json')) console.log(JSON.stringify({ key_file: file }))
    else
      console.log([`Every secret is encrypted with the key in ${file}.`, ...next(isGiven, file)].join('\n'))
  } finally {
    folder?.close()
  }
  return 0
}

const next = (isGiven: boolean, file: string) => [
  ...(isGiven ? [`Start every node with --master-key-file ${file}.`] : []),
  'Bearer tokens, browser sessions and sign-ins in progress are no longer valid. The old key still decrypts earlier backups.',
]
