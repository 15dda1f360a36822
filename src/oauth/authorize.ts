import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, text } from '../kit/schema.ts'
import type { Step } from './consent.ts'
import { decide, show } from './consent.ts'
import { page } from './page.ts'

/** What the address of both pages takes (interface, OAuth endpoints). */
export const asked = {
  oauth_token: text(1, 200, 'The request token.'),
  force_login: Type.Optional(text(0, 10, '`true` asks for the password even when somebody is signed in.')),
  screen_name: Type.Optional(text(0, 200, 'Filled into the sign-in form.')),
}

/** What the forms of both pages send. */
export const decision = {
  oauth_token: text(1, 200, 'The request token.'),
  form_token: text(1, 100, 'Only our own page knows it.'),
  decision: choice(['sign-in', 'approve', 'cancel'], 'The button that was pressed.'),
  screen_name: Type.Optional(text(0, 200, 'Who signs in.')),
  password: Type.Optional(text(0, 1000, 'With which password.')),
}

/** A form holds a few short fields. */
export const MAX_FORM_BYTES = 16 * 1024

const step: Step = { path: '/oauth/authorize', signIn: false }

/** GET /oauth/authorize: asks the user whether the app may have access (interface, OAuth endpoints). */
export const authorize = endpoint({
  id: 'authorize',
  host: 'core',
  method: 'GET',
  path: step.path,
  summary: 'Ask the user',
  description:
    'A page for the browser: signs the user in and asks. Then the browser goes to the callback with `oauth_token` and `oauth_verifier`, or with `denied`; a desktop app gets a pin to type in.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  query: asked,
  replyKind: 'page',
  reply: page,
  refusals: ['invalid token', 'app suspended'],
  handle: (call, context) => show(step, call, context),
})

/** POST /oauth/authorize: the forms of that page. */
export const authorizeDecision = endpoint({
  id: 'authorizeDecision',
  host: 'core',
  method: 'POST',
  path: step.path,
  summary: 'Sign in, or answer',
  description: 'Takes the forms of the page; nobody else can send them.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  form: decision,
  maxBodyBytes: MAX_FORM_BYTES,
  replyKind: 'page',
  reply: page,
  refusals: ['invalid token', 'app suspended', 'user suspended', 'form not authentic'],
  hidden: true,
  handle: (call, context) => decide(step, call, context),
})
