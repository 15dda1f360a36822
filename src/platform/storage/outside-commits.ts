import { afterError } from '../common/after-error.ts'
import { systemClock } from '../common/clock.ts'
import { systemRandom, uuid } from '../common/random.ts'
import { query } from '../tables.ts'
import { settingByName } from './settings.ts'
import type { Store } from './store.ts'
import { OpenTransaction } from './transaction.ts'

// A commit notifies the listeners of its process and, through the bus, of other nodes. The command line is neither. So it
// changes a setting with each commit that notifies listeners, and servers read that setting.

const NAME = 'outside_commit'
/** How often a server looks. In real time. */
const LOOK_MS = 500

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

/** Wakes the listeners of the store of a server half a second after a commit of a command at most. Close it. */
export async function watchOutsideCommits(
  store: Store,
  onError: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> {
  const stop = new AbortController()
  const last = async () => (await store.first(settingByName, { name: NAME }))?.value
  const known = await last()
  const watching = watch(store, { known, last, onError, signal: stop.signal })
  return {
    close() {
      stop.abort()
      return watching
    },
  }
}

interface OutsideCommitWatch {
  known: string | undefined
  last(): Promise<string | undefined>
  onError: (error: unknown) => void
  signal: AbortSignal
}

async function watch(store: Store, { known, last, onError, signal }: OutsideCommitWatch): Promise<void> {
  let seen = known
  let failures = 0
  while (await systemClock.at(systemClock.now() + LOOK_MS, signal)) {
    try {
      const now = await last()
      failures = 0
      if (now === seen) continue
      seen = now
      store.wakeAll()
    } catch (error) {
      if (signal.aborted) return
      onError(error)
      await afterError(failures++, signal)
    }
  }
}
