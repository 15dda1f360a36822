import type { Module } from '../../platform/module.ts'
import { newsPostFollowing } from './posts.ts'
import { newsRefresh, type RefreshContext, refreshNews } from './refresh.ts'

/** Builds stories from new posts. */
export const news: Module<RefreshContext> = {
  tasks: (context) => [newsRefresh(context)],
  consumers: (context) => [
    newsPostFollowing({ ...context, caughtUp: (signal) => refreshNews(context, signal) }),
  ],
}
