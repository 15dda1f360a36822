import { readSeedFile } from '../seed/seed-file.ts'
import type { Call } from './command.ts'

/** `plaza seed check FILE`: reads a seed file as a first start would, and changes nothing. */
export async function check({ positionals, flags }: Call): Promise<number> {
  const [file = ''] = positionals
  const { users, apps = [], accounts = [] } = readSeedFile(file)
  const counts = { users: users.length, apps: apps.length, accounts: accounts.length }
  if (flags.on('json')) console.log(JSON.stringify(counts))
  else
    console.log(
      `${file} is a seed file: ${counts.users} users, ${counts.apps} apps, ${counts.accounts} accounts.`,
    )
  return 0
}
