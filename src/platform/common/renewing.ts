import { afterError } from './after-error.ts'
import { type Clock, WOKEN } from './clock.ts'

interface RenewalOptions {
  readonly clock: Clock
  /** Milliseconds between two renewals: the lease, less the time that a renewal may take. */
  readonly everyMs: number
  /** Called again when it throws. */
  renew(): Promise<void>
  /** Called with what `renew` threw. */
  onError(error: unknown): void
}

/** Renews a lease while `work` runs. Resolves once no renewal is in progress. */
export async function renewing<Result>(
  { clock, everyMs, renew, onError }: RenewalOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController()
  const once = async () => {
    for (let failures = 0; !done.signal.aborted; ) {
      try {
        return await renew()
      } catch (error) {
        onError(error)
        await afterError(failures++, done.signal)
      }
    }
  }
  const renewals = (async () => {
    while (await clock.at(clock.now() + everyMs, done.signal)) await once()
  })()
  try {
    return await work()
  } finally {
    done.abort(WOKEN)
    await renewals
  }
}
