import type { IncomingHttpHeaders } from 'node:http'
import { readScopes } from '../../../identity/tokens/scopes.ts'
import { AUTHORIZE_PATH } from '../../../identity/tokens/user-tokens.ts'
import { readCookie } from '../../../platform/http/input/browser.ts'
import type { BytesReply } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { askConsent, askPassword, signIn } from '../ask.ts'
import type { OauthDependencies } from '../endpoint.ts'
import { checkForm } from '../forms.ts'
import { found } from '../page.ts'
import { scopeWords } from '../pages.ts'
import type { Question } from '../question.ts'
import { findSession, VISIT_COOKIE } from '../sessions.ts'
import { addCode } from './codes.ts'
import {
  type AccessRequest,
  type AuthorizeParameters,
  answer,
  parametersOf,
  queryOf,
  readRequest,
} from './request.ts'

/** The fields of a form of the page. */
export interface UserConsentForm {
  /** The query of the page. */
  request: string
  form_token: string
  decision: 'sign-in' | 'approve' | 'cancel'
  screen_name?: string
  password?: string
}

/**
 * Shows the sign-in form or the question, or redirects to the app with the error of the request.
 */
export async function show(
  { query, headers }: { query: AuthorizeParameters & { force_login?: string }; headers: IncomingHttpHeaders },
  context: OauthDependencies,
): Promise<BytesReply> {
  const request = await readRequest(query, context)
  if ('location' in request) return found(request.location)
  const question = questionOf(request, query, context)
  const session = query.force_login === 'true' ? undefined : await findSession(headers, context)
  if (!session) return askPassword(question, headers, { screenName: '' }, context)
  return askConsent(question, session, scopeWords(readScopes(request.scopes.join(' '))), context)
}

/** Handles a form of the user: a password, or the answer to the question. */
export async function decide(
  { form, headers, address }: { form: UserConsentForm; headers: IncomingHttpHeaders; address: string },
  context: OauthDependencies,
): Promise<BytesReply> {
  const session = await findSession(headers, context)
  const visit = readCookie(headers, VISIT_COOKIE)
  const submitted = { token: form.form_token, subject: subjectOf(form.request), headers }
  const bindings = { 'sign-in': [visit], approve: [session?.id], cancel: [session?.id, visit] }
  checkForm(submitted, bindings[form.decision], context)
  const parameters = parametersOf(form.request, context.naming.vocabulary.name)
  const request = await readRequest(parameters, context)
  if ('location' in request) return found(request.location)
  switch (form.decision) {
    case 'sign-in':
      return signIn(questionOf(request, parameters, context), { form, headers, address }, context)
    case 'approve': {
      if (!session) throw apiError('form not authentic', 'no session')
      const code = await addCode(request, session.user.id, context)
      return found(answer(request.redirectUri, request.state, [['code', code]], context))
    }
    case 'cancel':
      return found(answer(request.redirectUri, request.state, [['error', 'access_denied']], context))
  }
}

const subjectOf = (query: string) => `request ${query}`

function questionOf(
  { app, redirectUri }: AccessRequest,
  parameters: AuthorizeParameters,
  { naming }: Pick<OauthDependencies, 'naming'>,
): Question {
  const { path, name } = naming.vocabulary
  const query = queryOf(parameters, name)
  const action = path(AUTHORIZE_PATH)
  return {
    app,
    action,
    address: `${action}?${query}`,
    subject: subjectOf(query),
    fields: [[name('request'), query]],
    callback: redirectUri,
  }
}
