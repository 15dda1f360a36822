import type { IncomingHttpHeaders } from 'node:http'
import { covers, type Permission } from '../../identity/apps/app.ts'
import { grantOf } from '../../identity/apps/queries.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import { encode } from '../../platform/common/percent.ts'
import { readCookie } from '../../platform/http/input/browser.ts'
import type { BytesReply } from '../../platform/http/reply-kinds.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { askConsent, askPassword, signIn } from './ask.ts'
import { callbackWith } from './callback.ts'
import type { OauthDependencies } from './endpoint.ts'
import { checkForm } from './forms.ts'
import { found, shown } from './page.ts'
import { deniedPage, levelWords, pinPage } from './pages.ts'
import { someAccount } from './queries.ts'
import { OUT_OF_BAND, type Question } from './question.ts'
import { approve, deny, type OpenRequest, openRequest } from './requests.ts'
import { findSession, VISIT_COOKIE } from './sessions.ts'

/**
 * One of the two pages that ask a user: `authorize` always asks, `authenticate` may skip the
 * question.
 */
export interface ConsentStep {
  path: '/oauth/authorize' | '/oauth/authenticate'
  /**
   * Whether a user who granted the app access before is not asked again. Not for apps that show a
   * PIN.
   */
  signIn: boolean
}

/** The parameters of the page. */
export interface ConsentQuery {
  oauth_token: string
  force_login?: string
  screen_name?: string
}

/** The fields of a form of the page. */
export interface ConsentForm {
  oauth_token: string
  form_token: string
  decision: 'sign-in' | 'approve' | 'cancel'
  screen_name?: string
  password?: string
}

/**
 * Shows the sign-in form or the question, or redirects to the app if the question can be skipped.
 */
export async function show(
  step: ConsentStep,
  { query, headers }: { query: ConsentQuery; headers: IncomingHttpHeaders },
  context: OauthDependencies,
): Promise<BytesReply> {
  const request = await requestFor(step, query.oauth_token, context)
  const session = query.force_login === 'true' ? undefined : await findSession(headers, context)
  const question = questionOf(step, request, context)
  if (!session) return askPassword(question, headers, { screenName: query.screen_name ?? '' }, context)
  // A browser that prefetches the page must not use up the request token.
  const goesOn = step.signIn && headers['sec-purpose'] === undefined
  if (goesOn && (await grantedBefore(request, session.user, context)))
    return grantAccess(request, session.user, context)
  const reaches = await advertises(session.user, context.store)
  return askConsent(question, session, levelWords(request.row.access as Permission, reaches), context)
}

/** Handles a form of the user: a password, or the answer to the question. */
export async function decide(
  step: ConsentStep,
  { form, headers, address }: { form: ConsentForm; headers: IncomingHttpHeaders; address: string },
  context: OauthDependencies,
): Promise<BytesReply> {
  const session = await findSession(headers, context)
  const visit = readCookie(headers, VISIT_COOKIE)
  const submitted = { token: form.form_token, subject: form.oauth_token, headers }
  switch (form.decision) {
    case 'sign-in': {
      checkForm(submitted, [visit], context)
      const request = await requestFor(step, form.oauth_token, context)
      return signIn(questionOf(step, request, context), { form, headers, address }, context)
    }
    case 'approve': {
      checkForm(submitted, [session?.id], context)
      const request = await requestFor(step, form.oauth_token, context)
      if (!session) throw apiError('form not authentic', 'no session')
      return grantAccess(request, session.user, context)
    }
    case 'cancel': {
      checkForm(submitted, [session?.id, visit], context)
      const request = await requestFor(step, form.oauth_token, context)
      await deny(request, context)
      const { name } = context.naming.vocabulary
      if (request.row.callback === OUT_OF_BAND) return shown(deniedPage(request.app))
      return found(callbackWith(request.row.callback, [[name('denied'), request.token]]))
    }
  }
}

async function requestFor(
  step: ConsentStep,
  token: string,
  context: Pick<OauthDependencies, 'store' | 'sealer' | 'clock' | 'credentials'>,
): Promise<OpenRequest> {
  const request = await openRequest(token, context)
  const pin = request.app.kind === 'desktop' || request.row.callback === OUT_OF_BAND
  if (step.signIn && pin) throw apiError('client not permitted', 'a desktop app must use authorize')
  return request
}

/**
 * Whether the user has granted the app the same access before, and the app accepts that as an
 * answer.
 */
async function grantedBefore(
  { app, row }: OpenRequest,
  user: UserRow,
  { store }: Pick<OauthDependencies, 'store'>,
): Promise<boolean> {
  if (!app.signIn) return false
  const grant = await store.first(grantOf, { appId: app.id, userId: user.id })
  return grant !== undefined && covers(grant.access as Permission, row.access as Permission)
}

async function grantAccess(
  request: OpenRequest,
  user: UserRow,
  context: Pick<OauthDependencies, 'store' | 'sealer' | 'random' | 'clock' | 'naming'>,
): Promise<BytesReply> {
  const verifier = await approve(request, user.id, context)
  const { token, row, app } = request
  const { name } = context.naming.vocabulary
  if (row.callback === OUT_OF_BAND) return shown(pinPage(app, verifier))
  return found(
    callbackWith(row.callback, [
      [name('oauth_token'), token],
      [name('oauth_verifier'), verifier],
    ]),
  )
}

function questionOf(
  step: ConsentStep,
  { app, token, row }: OpenRequest,
  { naming }: Pick<OauthDependencies, 'naming'>,
): Question {
  const { path, name } = naming.vocabulary
  const action = path(step.path)
  return {
    app,
    action,
    address: `${action}?${name('oauth_token')}=${encode(token)}`,
    subject: token,
    fields: [[name('oauth_token'), token]],
    callback: row.callback,
  }
}

/** Whether an access token of the user reaches advertising accounts. */
export const advertises = async (user: UserRow, store: OauthDependencies['store']): Promise<boolean> =>
  (await store.first(someAccount, { userId: user.id })) !== undefined
