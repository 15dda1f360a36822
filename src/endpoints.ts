import { createWebhook } from './core/webhooks/create.ts'
import { deleteWebhook } from './core/webhooks/delete.ts'
import { listWebhooks } from './core/webhooks/list.ts'
import { validateWebhook } from './core/webhooks/validate.ts'
import type { Endpoint } from './kit/endpoint.ts'

/** Every endpoint of Plaza. What is not here does not exist: routes, documents and tests come from this list. */
export const endpoints: readonly Endpoint[] = [createWebhook, listWebhooks, validateWebhook, deleteWebhook]
