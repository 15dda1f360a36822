import type { Config } from '../../platform/config/config.ts'
import type { Module } from '../../platform/module.ts'
import { type ReplayParts, webhookReplay } from './replay.ts'
import { deliveryRemoval, deliveryTrimming } from './tasks.ts'

const HOUR_MS = 3_600_000

/** Replays deliveries, and removes those that ended. */
export const webhooks: Module<ReplayParts & { config: Config }> = {
  tasks: (context) => [
    deliveryRemoval(context),
    webhookReplay(context),
    deliveryTrimming(context, context.config.deliveryRetentionHours * HOUR_MS),
  ],
}
