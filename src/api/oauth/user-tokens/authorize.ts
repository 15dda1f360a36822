import { Type } from 'typebox'
import { AUTHORIZE_PATH } from '../../../identity/tokens/user-tokens.ts'
import { choice, text } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { page, pageForm } from '../page.ts'
import { signInFields } from '../parameters.ts'
import { decide, show } from './consent.ts'
import { parameters } from './request.ts'

/** The query of the page as a form repeats it, percent-encoded once more. */
const MAX_REQUEST_LENGTH = 40_000
const MAX_FORM_BYTES = 128 * 1024

/**
 * GET /2/oauth2/authorize: asks the user whether the app may have access (core reference, 01
 * section 5.1).
 */
export const userAuthorize = endpoint({
  id: 'userAuthorize',
  host: 'core',
  method: 'GET',
  path: AUTHORIZE_PATH,
  aliases: ['/i/oauth2/authorize'],
  summary: 'Ask the user for consent with OAuth 2.0',
  description:
    'A page for the browser: signs the user in and lists what the app will be able to do. Then the browser is redirected with `state` and `code`, or with `error`. A code is valid for 30 seconds and can be exchanged once.',
  source: 'Authentication',
  auth: ['none'],
  limits: { address: '180/15m' },
  query: {
    ...parameters,
    force_login: Type.Optional(text(0, 10, '`true` asks for the password even if a user is signed in.')),
  },
  replyKind: 'page',
  reply: page,
  errors: ['client unknown', 'callback not approved', 'app suspended'],
  handle: (call, context) => show(call, context),
})

/** POST /2/oauth2/authorize: the forms of that page. */
export const userAuthorizeDecision = endpoint({
  ...pageForm,
  id: 'userAuthorizeDecision',
  path: AUTHORIZE_PATH,
  summary: 'Sign in, or answer',
  form: {
    request: text(1, MAX_REQUEST_LENGTH, 'The query of the page.'),
    form_token: text(1, 100, 'Only our own page knows it.'),
    decision: choice(['sign-in', 'approve', 'cancel'], 'The button that was pressed.'),
    ...signInFields,
  },
  maxBodyBytes: MAX_FORM_BYTES,
  errors: [
    'client unknown',
    'callback not approved',
    'app suspended',
    'user suspended',
    'form not authentic',
  ],
  handle: (call, context) => decide(call, context),
})
