import { endpoint } from './endpoint.ts'
import type { Cause } from '../protocols/catalogue.ts'
import type { Step } from './consent.ts'
import { decide } from './consent.ts'
import { page } from './page.ts'
import { decision, MAX_FORM_BYTES } from './parameters.ts'

/** The POST of one of the two pages: takes its forms. `more`: what this page rejects beside the other. */
export const decisionOf = (step: Step, id: string, more: readonly Cause[] = []) =>
  endpoint({
    id,
    host: 'core',
    method: 'POST',
    path: step.path,
    summary: 'Sign in, or answer',
    description: 'Receives the forms of the page, which only the page can send.',
    source: 'OAuth endpoints',
    auth: ['none'],
    limits: { address: '180/15m' },
    form: decision,
    maxBodyBytes: MAX_FORM_BYTES,
    replyKind: 'page',
    reply: page,
    errors: ['invalid token', 'app suspended', 'user suspended', 'form not authentic', ...more],
    hidden: true,
    handle: (call, context) => decide(step, call, context),
  })
