import type { Config } from '../../../platform/config/config.ts'
import type { Module } from '../../../platform/module.ts'
import type { WebhookChecks } from './checks.ts'

interface WebhookCheckDependencies {
  config: Config
  checks: WebhookChecks
}

/** Checks webhooks. */
export const webhookChecks: Module<WebhookCheckDependencies> = {
  // A check is a call to the webhook too.
  tasks: ({ config, checks }) => (config.holdDeliveries ? [] : [checks.kind]),
}
