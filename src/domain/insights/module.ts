import type { Logger } from 'pino'
import type { Clock } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { insightRemoval } from './removal.ts'
import { KEYWORD_INSIGHTS, keywordRollups } from './rollup.ts'

interface Parts {
  store: Store
  clock: Clock
  config: Config
  log: Logger
}

/** Maintains the rollups of keyword insights. */
export const insights: Module<Parts> = {
  tasks: (context) => [insightRemoval(context)],
  consumers: ({ log, ...parts }) => [
    keywordRollups({
      ...parts,
      skipped: (error) => log.error({ err: error, consumer: KEYWORD_INSIGHTS }, 'an item was left out'),
      built: (posts) => log.info({ posts }, 'the rollups of keyword insights were built'),
    }),
  ],
}
