import { callAdmin } from '../admin-client.ts'
import { withAdmin } from './admin.ts'
import type { Call } from './command.ts'

/** `plaza trends refresh`: does immediately what the server does every minute. */
export async function refresh({ flags, config }: Call): Promise<number> {
  const done = await withAdmin(config, (admin) =>
    callAdmin<{ terms: number }>(admin, 'POST', '/trends/refresh'),
  )
  if (flags.on('json')) console.log(JSON.stringify(done))
  else console.log(`Terms whose scores were computed: ${done.terms}.`)
  return 0
}
