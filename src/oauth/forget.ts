import type { OauthDependencies } from './dependencies.ts'
import { schedule, taskType } from '../queue/task.ts'
import { forgetRequests, forgetSessions } from './queries.ts'

const removeSignIns = taskType<Record<never, never>>('remove expired sign-ins')

const EVERY_MS = 300_000
const LEASE_MS = 60_000

/** Deletes expired request tokens and browser sessions. */
export const signInRemoval = ({ store, clock }: Pick<OauthDependencies, 'store' | 'clock'>) =>
  schedule(
    removeSignIns,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      run: () =>
        store.write(async (tx) => {
          await tx.run(forgetRequests, { now: tx.now })
          await tx.run(forgetSessions, { now: tx.now })
        }),
    },
    clock,
  )
