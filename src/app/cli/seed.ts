import { systemClock } from '../../platform/common/clock.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import { callAdmin } from '../admin-client.ts'
import { endpoints } from '../endpoints.ts'
import { seedOfRecording } from '../recording/seed.ts'
import { readSeedFile } from '../seed/seed-file.ts'
import { openVocabulary } from '../start/vocabulary.ts'
import { withAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { readRecording } from './record.ts'

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

/** `plaza seed from-recording FILE`: prints what a recording shows as a seed. */
export async function fromRecording(call: Call): Promise<number> {
  const { flags, config } = call
  const print = printerOf(flags)
  const exchanges = readRecording(call)
  const now = systemClock.now()
  const vocabulary = openVocabulary(config, endpoints)
  const { seed, unknownAuthors } = seedOfRecording(exchanges, { vocabulary, now })
  await print(seed)
  const { users, posts } = seed
  console.error(`${users.length} users and ${posts.length} posts of ${exchanges.length} exchanges.`)
  if (unknownAuthors > 0)
    console.error(`${unknownAuthors} posts are left out: the recording does not show their authors.`)
  return 0
}

/** Prints a seed in the requested format. */
function printerOf(flags: Flags): (seed: object) => Promise<void> {
  const format = flags.text('format') ?? 'yaml'
  if (format !== 'yaml' && format !== 'json')
    throw new UsageError(`--format must be yaml or json, not "${format}"`)
  return async (seed) => {
    if (format === 'json') return console.log(jsonText(seed, 2))
    const { stringify } = await import('yaml')
    console.log(stringify(seed, { lineWidth: 100 }).trimEnd())
  }
}

/** `plaza seed export`: prints the present state as a seed. */
export async function exportState({ flags, config }: Call): Promise<number> {
  const print = printerOf(flags)
  const query = new URLSearchParams()
  for (const name of ['users', 'posts']) {
    const value = flags.text(name)
    if (value !== undefined) query.set(name, value)
  }
  const mediaBytes = flags.text('media-bytes')
  if (mediaBytes !== undefined) query.set('media_bytes', mediaBytes)
  if (flags.on('secrets')) query.set('secrets', 'true')
  const seed = await withAdmin(config, (admin) => callAdmin(admin, 'GET', `/seed?${query}`))
  await print(seed)
  return 0
}
