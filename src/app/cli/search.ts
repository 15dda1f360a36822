import { searchRebuildRequested } from '../../domain/search/events.ts'
import { emit } from '../../platform/events/log.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'

/** `plaza search rebuild`: the server rebuilds the index, now or at its next start. */
export async function rebuild({ flags, config }: Call): Promise<number> {
  await withInstallation(config, ({ store }) =>
    store.write((tx) => emit(tx, searchRebuildRequested, { index: 'posts' })),
  )
  if (flags.on('json')) console.log(JSON.stringify({ requested: true }))
  else
    console.log(
      'The search index will be rebuilt by the running server within a second, or at the next start.',
    )
  return 0
}
