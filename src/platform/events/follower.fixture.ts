import { writeSync } from 'node:fs'
import { systemClock } from '../common/clock.ts'
import { openStore, type StoreLocation } from '../storage/open.ts'
import { follow } from './follower.ts'

/** The arguments of a process that follows the log in a test. */
export interface FollowingProcess {
  location: StoreLocation
  consumer: string
  holder: string
  batchSize: number
  leaseMs: number
  /** After this many events, it stops in the middle of a batch until it is killed. */
  standStillAfter: number
}

const given = JSON.parse(process.argv[2] as string) as FollowingProcess
const onError = (error: unknown) => writeSync(2, `${error}\n`)
const store = await openStore(given.location, { clock: systemClock, onError })
let handled = 0

// The store's connections and this timer keep the process running.
setInterval(() => undefined, 60_000)
follow(
  {
    name: given.consumer,
    async take(events) {
      for (const { subject, data } of events) {
        // Written directly to the pipe, so that it can be read even after the process was killed.
        writeSync(1, `${subject} ${data.number}\n`)
        if (++handled === given.standStillAfter) await new Promise(() => undefined)
      }
    },
    missed: () => undefined,
  },
  { ...given, store, clock: systemClock, onError },
)
