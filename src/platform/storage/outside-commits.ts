import { systemClock } from '../common/clock.ts'
import { Loop, POLL_MS } from '../common/loop.ts'
import { systemRandom, uuid } from '../common/random.ts'
import { query } from '../tables.ts'
import { settingByName } from './settings.ts'
import type { Store } from './store.ts'
import { OpenTransaction } from './transaction.ts'

// A commit notifies the listeners of its process and, through the bus, of other nodes. The command
// line is neither. So it changes a setting with each commit that notifies listeners, and servers
// read that setting.

const NAME = 'outside_commit'

const recordOutsideCommit = query<{ value: string }>('recordOutsideCommit', (db, at) =>
  db
    .insertInto('settings')
    .values({ name: NAME, value: at.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: at.value })),
)

/** The store of a command, whose commits running servers notice. */
export const asOutsider = (store: Store): Store => ({
  ...store,
  write: (work) =>
    store.write(async (tx) => {
      const result = await work(tx)
      if (tx instanceof OpenTransaction && tx.notified.size > 0)
        await tx.run(recordOutsideCommit, { value: uuid(systemRandom) })
      return result
    }),
})

/**
 * Wakes the listeners of the store of a server half a second after a commit of a command at most.
 * Close it.
 */
export async function watchOutsideCommits(
  store: Store,
  onError: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> {
  const last = async () => (await store.first(settingByName, { name: NAME }))?.value
  let known = await last()
  const loop = new Loop({
    async round() {
      const now = await last()
      if (now !== known) store.wakeAll()
      known = now
      return systemClock.now() + POLL_MS.watched
    },
    onError,
  })
  loop.start()
  return { close: () => loop.stop() }
}
