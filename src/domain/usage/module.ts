import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { usageRemoval } from './removal.ts'

/** Removes old usage. */
export const usage: Module<{ store: Store; clock: Clock }> = {
  tasks: (context) => [usageRemoval(context)],
}
