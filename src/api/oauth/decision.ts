import type { Cause } from '../../platform/protocols/catalogue.ts'
import { type ConsentStep, decide } from './consent.ts'
import { endpoint } from './endpoint.ts'
import { pageForm } from './page.ts'
import { decision } from './parameters.ts'

/**
 * The POST of one of the two pages, which receives its forms. `more`: additional errors of this
 * page.
 */
export const decisionOf = (step: ConsentStep, id: string, more: readonly Cause[] = []) =>
  endpoint({
    ...pageForm,
    id,
    path: step.path,
    summary: 'Sign in, or answer',
    form: decision,
    errors: ['invalid token', 'app suspended', 'user suspended', 'form not authentic', ...more],
    handle: (call, context) => decide(step, call, context),
  })
