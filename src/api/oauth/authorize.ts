import { type ConsentStep, show } from './consent.ts'
import { decisionOf } from './decision.ts'
import { endpoint } from './endpoint.ts'
import { page } from './page.ts'
import { pageParameters } from './parameters.ts'

const step: ConsentStep = { path: '/oauth/authorize', signIn: false }

/**
 * GET /oauth/authorize: asks the user whether the app may have access (interface, OAuth endpoints).
 */
export const authorize = endpoint({
  id: 'authorize',
  host: 'core',
  method: 'GET',
  path: step.path,
  summary: 'Ask the user for consent',
  description:
    'A page for the browser: signs the user in and asks for consent. Then the browser is redirected to the callback with `oauth_token` and `oauth_verifier`, or with `denied`; for a desktop app it shows a PIN.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  query: pageParameters,
  replyKind: 'page',
  reply: page,
  errors: ['invalid token', 'app suspended'],
  handle: (call, context) => show(step, call, context),
})

/** POST /oauth/authorize: the forms of that page. */
export const authorizeDecision = decisionOf(step, 'authorizeDecision')
