import { callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import type { Call } from './command.ts'

/** `plaza news refresh`: does immediately what the server does every minute. */
export async function refresh({ flags, config }: Call): Promise<number> {
  const done = await withAdmin(config, (admin) =>
    callAdmin<{ appeared: number; updated: number }>(admin, 'POST', '/news/refresh'),
  )
  if (flags.on('json')) console.log(JSON.stringify(done))
  else console.log(`New stories: ${done.appeared}. Updated stories: ${done.updated}.`)
  return 0
}
