import { refreshNews } from '../../domain/news/refresh.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'

/** `plaza news refresh`: does immediately what the server does every minute. */
export async function refresh({ flags, config }: Call): Promise<number> {
  const done = await withInstallation(config, ({ store, parts }) => refreshNews({ store, ...parts }))
  if (flags.on('json')) console.log(JSON.stringify(done))
  else console.log(`New stories: ${done.appeared}. Updated stories: ${done.updated}.`)
  return 0
}
