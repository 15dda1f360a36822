import { jsonText } from '../../platform/common/exact-json.ts'
import { callAdmin } from '../admin-client.ts'
import { readSeedFile } from '../seed/seed-file.ts'
import { withAdmin } from './admin.ts'
import { type Call, UsageError } from './command.ts'

/** `plaza seed check FILE`: reads a seed file as a first start would, and changes nothing. */
export async function check({ positionals, flags }: Call): Promise<number> {
  const [file = ''] = positionals
  const { users, apps = [], accounts = [], posts = [] } = readSeedFile(file)
  const counts = {
    users: users.length,
    apps: apps.length,
    accounts: accounts.length,
    posts: posts.length,
  }
  if (flags.on('json')) console.log(JSON.stringify(counts))
  else
    console.log(
      `${file} is a seed file: ${counts.users} users, ${counts.apps} apps, ${counts.accounts} accounts, ${counts.posts} posts.`,
    )
  return 0
}

/** `plaza seed export`: prints the present state as a seed. */
export async function exportState({ flags, config }: Call): Promise<number> {
  const format = flags.text('format') ?? 'yaml'
  if (format !== 'yaml' && format !== 'json')
    throw new UsageError(`--format must be yaml or json, not "${format}"`)
  const query = new URLSearchParams()
  for (const name of ['users', 'posts']) {
    const value = flags.text(name)
    if (value !== undefined) query.set(name, value)
  }
  const mediaBytes = flags.text('media-bytes')
  if (mediaBytes !== undefined) query.set('media_bytes', mediaBytes)
  if (flags.on('secrets')) query.set('secrets', 'true')
  const seed = await withAdmin(config, (admin) => callAdmin(admin, 'GET', `/seed?${query}`))
  if (format === 'json') console.log(jsonText(seed, 2))
  else {
    const { stringify } = await import('yaml')
    console.log(stringify(seed, { lineWidth: 100 }).trimEnd())
  }
  return 0
}
