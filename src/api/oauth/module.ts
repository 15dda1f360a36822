import { forgetUserGrants, forgetUserTokens } from '../../identity/apps/queries.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { OauthDependencies } from './endpoint.ts'
import { forgetRequests, forgetSessions } from './queries.ts'

const removeSignIns = taskType<Record<never, never>>('remove expired sign-ins')

const EVERY_MS = 300_000
const LEASE_MS = 60_000

/** Deletes expired request tokens, browser sessions, and codes and tokens of OAuth 2.0. */
const signInRemoval = ({ store, clock }: Pick<OauthDependencies, 'store' | 'clock'>) =>
  schedule(
    removeSignIns,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      run: () =>
        store.write(async (tx) => {
          await tx.run(forgetRequests, { now: tx.now })
          await tx.run(forgetSessions, { now: tx.now })
          await tx.run(forgetUserTokens, { now: tx.now })
          await tx.run(forgetUserGrants, { now: tx.now })
        }),
    },
    clock,
  )

/** Removes expired sign-ins. */
export const oauth: Module<Pick<OauthDependencies, 'store' | 'clock'>> = {
  tasks: (context) => [signInRemoval(context)],
}
