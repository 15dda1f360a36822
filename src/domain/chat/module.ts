import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { dropMedia } from './files/files.ts'
import { expiredChatMedia } from './files/queries.ts'
import { expiredChatEvents, removeChatEvents, removeOldGroupIds } from './queries.ts'

/** Events and files of one transaction: each event may be seen by a thousand users. */
const STEP = 4
const IDS_AT_ONCE = 500
const EVERY_MS = 300_000
const LEASE_MS = 600_000

interface ExpiryContext {
  readonly store: Store
  readonly clock: Clock
}

const removeExpired = taskType<Record<never, never>>('remove expired chat messages')

async function someEvents(tx: Transaction): Promise<boolean> {
  const found = await tx.all(expiredChatEvents, { now: tx.now, limit: STEP })
  await tx.run(removeChatEvents, { ids: JSON.stringify(found.map(({ id }) => id)) })
  return found.length === STEP
}

async function someMedia(tx: Transaction): Promise<boolean> {
  const found = await tx.all(expiredChatMedia, { now: tx.now, limit: STEP })
  await dropMedia(tx, found)
  return found.length === STEP
}

const someIds = async (tx: Transaction): Promise<boolean> =>
  (await tx.run(removeOldGroupIds, { before: tx.now + 1, limit: IDS_AT_ONCE })) === IDS_AT_ONCE

async function run(context: ExpiryContext, signal: AbortSignal): Promise<void> {
  for (const step of [someEvents, someMedia, someIds])
    while (!signal.aborted && (await context.store.write((tx) => step(tx))));
}

/** Removes messages, files and unused ids of groups that have expired. */
export const chats: Module<ExpiryContext> = {
  tasks: (context) => [
    schedule(
      removeExpired,
      { everyMs: EVERY_MS, leaseMs: LEASE_MS, run: (signal) => run(context, signal) },
      context.clock,
    ),
  ],
}
