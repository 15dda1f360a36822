import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { trendPostFollowing } from './posts.ts'
import { trendRefresh } from './refresh.ts'

/** Computes trends from new posts. */
export const trends: Module<{ store: Store; clock: Clock }> = {
  tasks: (context) => [trendRefresh(context)],
  consumers: (context) => [trendPostFollowing(context)],
}
