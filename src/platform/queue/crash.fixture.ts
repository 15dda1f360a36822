// Runs tasks until it is killed. Reports when a run, which never ends, is in progress.
import pino from 'pino'
import { systemClock } from '../common/clock.ts'
import { systemRandom } from '../common/random.ts'
import { openStore, type StoreLocation } from '../storage/open.ts'
import { DONE, type Outcome, type TaskKind, taskType } from './task.ts'
import { startWorker } from './worker.ts'

export const endless = taskType<{ name: string }>('test: endless', { owner: null })

/** `run` receives the name and the number of the attempt. */
export const endlessKind = (
  run: (name: string, attempt: number) => Promise<Outcome>,
): TaskKind<{ name: string }> => ({
  type: endless,
  leaseMs: 60_000,
  maxAttempts: 3,
  backoff: () => 1_000,
  concurrency: 4,
  run: ({ name }, { attempt }) => run(name, attempt),
})

const [where] = process.argv.slice(2)
if (where !== undefined) {
  const location: StoreLocation = JSON.parse(where)
  const store = await openStore(location, { clock: systemClock, onError: () => undefined })
  const kind = endlessKind(async (name) => {
    console.log(`running ${name}`)
    await new Promise((resolve) => setInterval(resolve, 60_000_000))
    return DONE
  })
  await startWorker([kind], {
    store,
    clock: systemClock,
    random: systemRandom,
    log: pino({ enabled: false }),
    holder: 'node 1',
  }).then((worker) => worker.runDue())
}
