import type { Context } from '../../context.ts'
import type { Job } from '../../jobs/jobs.ts'
import { dueAudienceRemovals, endAudienceRemoval } from './queries.ts'

/** What a start finds undone, and what comes due by the clock, is begun after so long. */
const LOOK_EVERY_SECONDS = 5
const REMOVALS_AT_ONCE = 100

type Parts = Pick<Context, 'store' | 'clock' | 'membership'>

/** What is done about audiences when nobody waits for it. */
export const audienceJobs = (parts: Parts): Job[] => [
  { name: 'tend audiences', everySeconds: LOOK_EVERY_SECONDS, run: () => tendAudiences(parts) },
]

async function tendAudiences(parts: Parts): Promise<void> {
  await forgetDeleted(parts)
  parts.membership.tend()
}

/** Tells the membership to forget deleted audiences. Told twice, after a crash in between, is as good as once. */
async function forgetDeleted({ store, clock, membership }: Parts): Promise<void> {
  for (;;) {
    const due = await store.all(dueAudienceRemovals, { now: clock.now(), limit: REMOVALS_AT_ONCE })
    for (const { audience_id: id } of due) {
      await membership.forget(id)
      await store.write((tx) => tx.run(endAudienceRemoval, { id }))
    }
    if (due.length < REMOVALS_AT_ONCE) return
  }
}
