import type { Transaction } from '../../../platform/storage/store.ts'
import { LINKED } from '../merge.ts'
import * as rows from './queries.ts'

/** How long expired members may stay stored. */
export const EXPIRE_AFTER_SECONDS = 86_400
const BEFORE_ALL = Buffer.alloc(0)

/** A bounded step for a leased audience. `now` is in seconds; `limit` is the approximate number of rows. */
interface LeasedStep {
  audience: string
  now: number
  limit: number
}

/** Deletes some rows of an audience, and the audience itself once it has no others. */
export async function forgetStep(tx: Transaction, { audience, limit }: LeasedStep): Promise<void> {
  const some = { audience, limit }
  const removed =
    (await tx.run(rows.forgetSomeKeys, some)) +
    (await tx.run(rows.forgetSomePeople, some)) +
    (await tx.run(rows.forgetSomeChanges, some)) +
    (await tx.run(rows.forgetSomeSetAside, some))
  if (removed === 0) await tx.run(rows.removeAudience, some)
}

/** Adds due changes to the size of an audience. */
export async function countStep(tx: Transaction, { audience, now, limit }: LeasedStep): Promise<void> {
  const changes = await tx.all(rows.dueChanges, { audience, now, limit })
  const until = changes.length < limit ? now : (changes.at(-1)?.at ?? now)
  await tx.run(rows.removeChanges, { audience, until })
  const by = changes.reduce((sum, { delta }) => sum + delta, 0)
  const ended = changes.at(-1)?.at ?? 0
  const sweepAt = (changes[0]?.at ?? 0) + EXPIRE_AFTER_SECONDS
  await tx.run(rows.countAudience, { audience, by, until, ended, sweepAt })
}

/**
 * Deletes some of the members who expired more than a day ago: users first, then keys, because merges run in between. A merge
 * treats a key without its user as free. But a user without some of their keys would get them back, although others may have
 * these keys by then.
 */
export async function expireStep(tx: Transaction, { audience, now, limit }: LeasedStep): Promise<void> {
  const sweep = await tx.first(rows.sweepOf, { audience })
  if (!sweep) return
  const { sweep_before: before, swept_people, swept_until } = sweep
  if (before === null) await beginSweep(tx, { audience, now })
  else if (swept_people !== null) await sweepPeople(tx, { audience, before, limit, from: swept_people })
  else await sweepKeys(tx, { audience, before, limit, from: swept_until ?? BEFORE_ALL, now })
}

/** Members who had not expired when the oldest waiting batch was accepted are kept: the batch may refer to them. */
async function beginSweep(tx: Transaction, { audience, now }: { audience: string; now: number }) {
  const { at } = (await tx.first(rows.oldestWaiting, { audience })) ?? { at: null }
  const before = Math.min(now - EXPIRE_AFTER_SECONDS, (at ?? now) - 1)
  await tx.run(rows.beginSweep, { audience, before })
}

async function sweepPeople(
  tx: Transaction,
  step: { audience: string; before: number; limit: number; from: number },
): Promise<void> {
  const { audience, limit } = step
  const { last, total } = (await tx.first(rows.peopleSweepEnd, step)) ?? { last: null, total: 0 }
  if (last !== null) await tx.run(rows.sweepPeople, { ...step, last })
  await tx.run(rows.sweptPeople, { audience, until: total === limit ? last : null })
}

async function sweepKeys(
  tx: Transaction,
  step: { audience: string; before: number; limit: number; from: Buffer; now: number },
): Promise<void> {
  const { audience, limit, now } = step
  const { last, total } = (await tx.first(rows.keySweepEnd, step)) ?? { last: null, total: 0 }
  if (last) await tx.run(rows.sweepKeys, { ...step, last, linked: LINKED })
  if (last && total === limit) await tx.run(rows.sweptUntil, { audience, until: last })
  else await tx.run(rows.endSweep, { audience, next: now + EXPIRE_AFTER_SECONDS })
}
