import { callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import type { Call } from './command.ts'

/** `plaza search rebuild`: the server rebuilds the index, now or at its next start. */
export async function rebuild({ flags, config }: Call): Promise<number> {
  const requested = await withAdmin(config, (admin) => callAdmin(admin, 'POST', '/search/rebuild'))
  if (flags.on('json')) console.log(JSON.stringify(requested))
  else console.log('The search index will be rebuilt by the running server now, or at the next start.')
  return 0
}
