import type { MemberTransaction } from './database.ts'
import { KEY_BYTES } from './packed.ts'
import * as rows from './queries.ts'

/** How long expired members may stay stored. */
export const EXPIRE_AFTER_SECONDS = 86_400
const BEFORE_ALL = Buffer.alloc(0)
const BEHIND_ALL = Buffer.alloc(KEY_BYTES + 1, 255)

/**
 * A bounded step for a leased audience. `now` is in seconds; `limit` is the approximate number of
 * rows.
 */
interface LeasedStep {
  audience: string
  now: number
  limit: number
}

/** Deletes some rows of an audience, and the audience itself once it has no others. */
export async function forgetStep(tx: MemberTransaction, step: LeasedStep): Promise<void> {
  let removed = 0
  for (const forgetSome of rows.forgetSomeRows) removed += await tx.run(forgetSome, step)
  if (removed === 0) await tx.run(rows.removeAudience, step)
}

/**
 * Adds due changes to the size of an audience. Returns the second up to which they are counted.
 */
export async function countStep(
  tx: MemberTransaction,
  { audience, now, limit }: LeasedStep,
): Promise<number> {
  const changes = await tx.all(rows.dueChanges, { audience, now, limit })
  const until = changes.length < limit ? now : (changes.at(-1)?.at ?? now)
  await tx.run(rows.removeChanges, { audience, until })
  const by = changes.reduce((sum, { delta }) => sum + delta, 0)
  const ended = changes.at(-1)?.at ?? 0
  const sweepAt = (changes[0]?.at ?? 0) + EXPIRE_AFTER_SECONDS
  await tx.run(rows.countAudience, { audience, by, until, ended, sweepAt })
  return until
}

/**
 * Deletes some of the members who expired more than a day ago: users first, then keys, because
 * merges run in between. A merge treats a key without its user as free. But a user without some of
 * their keys would get them back, although others may have these keys by then.
 */
export async function expireStep(tx: MemberTransaction, step: LeasedStep): Promise<void> {
  const sweep = await tx.first(rows.sweepOf, step)
  if (!sweep) return
  const { sweep_before: before, swept_people, swept_until } = sweep
  if (before === null) await beginSweep(tx, step)
  else if (swept_people !== null) await sweepPeople(tx, step, { before, from: swept_people })
  else await sweepKeys(tx, step, { before, from: swept_until ?? BEFORE_ALL })
}

/**
 * Members who had not expired when the oldest waiting batch was accepted are kept: the batch may
 * refer to them.
 */
async function beginSweep(tx: MemberTransaction, { audience, now }: LeasedStep): Promise<void> {
  const { at } = (await tx.first(rows.oldestWaiting, { audience })) ?? { at: null }
  const before = Math.min(now - EXPIRE_AFTER_SECONDS, (at ?? now) - 1)
  await tx.run(rows.beginSweep, { audience, before })
}

async function sweepPeople(
  tx: MemberTransaction,
  { audience, limit }: LeasedStep,
  { before, from }: { before: number; from: number },
): Promise<void> {
  const end = await tx.first(rows.peopleSweepEnd, { audience, from, skipped: limit - 1 })
  await tx.run(rows.sweepPeople, { audience, from, last: end?.id ?? Number.MAX_SAFE_INTEGER, before })
  await tx.run(rows.sweptPeople, { audience, until: end?.id ?? null })
}

async function sweepKeys(
  tx: MemberTransaction,
  { audience, limit, now }: LeasedStep,
  { before, from }: { before: number; from: Uint8Array },
): Promise<void> {
  const end = await tx.first(rows.keySweepEnd, { audience, from, skipped: limit - 1 })
  await tx.run(rows.sweepKeys, { audience, from, last: end?.key ?? BEHIND_ALL, before })
  if (end) await tx.run(rows.sweptUntil, { audience, until: end.key })
  else await tx.run(rows.endSweep, { audience, next: now + EXPIRE_AFTER_SECONDS })
}
