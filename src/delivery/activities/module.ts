import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ProducerParts } from './producer.ts'
import { activityProducer } from './producer.ts'
import { activityTrimming } from './trim.ts'

/** Produces activities from events, and removes old ones. */
export const activities: Module<ProducerParts & { store: Store }> = {
  tasks: (context) => [activityTrimming(context)],
  consumers: (context) => [activityProducer(context)],
}
