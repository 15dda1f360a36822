import { type ConsentStep, show } from './consent.ts'
import { decisionOf } from './decision.ts'
import { endpoint } from './endpoint.ts'
import { page } from './page.ts'
import { pageParameters } from './parameters.ts'

const step: ConsentStep = { path: '/oauth/authenticate', signIn: true }

/** GET /oauth/authenticate: like authorize, without asking again (interface, OAuth endpoints). */
export const authenticate = endpoint({
  id: 'authenticate',
  host: 'core',
  method: 'GET',
  path: step.path,
  summary: 'Sign the user in',
  description:
    'Like authorize, but a user who has already granted the app the same access returns to it at once when the sign-in setting of the app is on. Not for desktop apps.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  query: pageParameters,
  replyKind: 'page',
  reply: page,
  errors: ['invalid token', 'app suspended', 'client not permitted'],
  handle: (call, context) => show(step, call, context),
})

/** POST /oauth/authenticate: the forms of that page. */
export const authenticateDecision = decisionOf(step, 'authenticateDecision', ['client not permitted'])
