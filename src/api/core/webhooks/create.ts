import { Type } from 'typebox'
import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import { lockApp } from '../../../identity/apps/queries.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { UniqueViolation } from '../../../platform/storage/store.ts'
import { endpoint } from './endpoint.ts'
import { rejectOtherUsers } from './find.ts'
import { normalForm } from './normal-form.ts'
import { webhooksOfApp } from './queries.ts'
import { registerWebhook } from './register.ts'
import { presentWebhook, Webhook } from './webhook.ts'

const MAX_URL_LENGTH = 200

/**
 * POST /2/webhooks: registers a webhook after it has answered a CRC check (interface, Webhook
 * config).
 */
export const createWebhook = endpoint({
  id: 'createWebhook',
  host: 'core',
  method: 'POST',
  path: '/2/webhooks',
  summary: 'Register a webhook',
  description:
    'Sends a CRC check to the URL and registers it when the response is correct. The URL must be public, use https and have no port, unless the operator allows internal addresses. A URL can be registered once, in any spelling. With a user token, the user must own the app.',
  source: 'Webhook config; Events',
  auth: ['app', 'user'],
  scopes: ['write'],
  limits: { app: '450/15m', user: '450/15m' },
  body: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: MAX_URL_LENGTH,
        description: 'URL that events are sent to.',
      }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: Webhook }, { additionalProperties: false }),
  errors: ['client not permitted'],
  reasons: ['CrcValidationFailed', 'UrlValidationFailed', 'DuplicateUrlFailed', 'WebhookLimitExceeded'],
  example: {
    body: { url: 'https://hooks.example.com/plaza' },
    reply: {
      data: {
        id: '1900000000000000042',
        url: 'https://hooks.example.com/plaza',
        valid: true,
        created_at: '2026-02-03T04:05:06.000Z',
      },
    },
  },
  async handle({ principal, body: { url } }, { store, outbound, checks, clock, ids, config }) {
    rejectOtherUsers(principal)
    const { app } = principal
    const rejectUrl = (reason: string, explanation: Message) =>
      invalidFor(reason, explanation, { place: 'body', name: 'url', value: url })
    const target = outbound.checkTarget(url)
    if (!target.ok) throw rejectUrl('UrlValidationFailed', msg`${target.reason}`)
    const normalUrl = normalForm(target.url)
    // Checked before the challenge, so that a caller without this right cannot make us send
    // requests.
    rejectWhenFull(await store.all(webhooksOfApp, { appId: app.id }))

    const result = await checks.probe(app, url)
    if (result.kind === 'not attempted') throw rejectUrl('UrlValidationFailed', result.explanation)
    if (result.kind === 'failed') throw rejectUrl('CrcValidationFailed', result.explanation)

    const now = clock.now()
    const row: WebhookRow = {
      id: ids.next(),
      app_id: app.id,
      url,
      valid: 1,
      created_at: now,
      last_success_at: now,
    }
    try {
      await store.write(async (tx) => {
        await tx.run(lockApp, { appId: app.id })
        rejectWhenFull(await tx.all(webhooksOfApp, { appId: app.id }))
        await registerWebhook(tx, row, config)
      })
    } catch (error) {
      throw error instanceof UniqueViolation ? duplicate() : error
    }
    return json({
      data: presentWebhook(row, { nowMs: now, invalidAfterSeconds: config.invalidAfterSeconds }),
    })

    function duplicate() {
      return rejectUrl('DuplicateUrlFailed', msg`this app has already registered the URL`)
    }

    function rejectWhenFull(existing: readonly WebhookRow[]): void {
      if (existing.some((webhook) => normalForm(new URL(webhook.url)) === normalUrl)) throw duplicate()
      if (existing.length >= config.webhooksPerApp) {
        throw rejectUrl('WebhookLimitExceeded', msg`an app may register ${config.webhooksPerApp} webhooks`)
      }
    }
  },
})
