import type { IncomingHttpHeaders } from 'node:http'
import type { OauthDependencies } from './dependencies.ts'
import type { Permission } from '../identity/app.ts'
import { covers } from '../identity/app.ts'
import { grantOf } from '../identity/queries.ts'
import { apiError } from '../protocols/catalogue.ts'
import type { BytesReply } from '../http/reply-kinds.ts'
import { encode } from '../common/percent.ts'
import type { UserRow } from '../storage/tables.ts'
import { callbackWith, policySource } from './callback.ts'
import { cookie, readCookie, VISIT_COOKIE } from './cookies.ts'
import { checkForm, formToken } from './forms.ts'
import { found, seeOther, shown } from './page.ts'
import { consentPage, deniedPage, pinPage, signInPage } from './pages.ts'
import { someAccount } from './queries.ts'
import type { OpenRequest } from './requests.ts'
import { approve, deny, OUT_OF_BAND, openRequest } from './requests.ts'
import type { Session } from './sessions.ts'
import { beginSession, checkPassword, findSession } from './sessions.ts'

/** One of the two pages that ask a user: `authorize` always asks, `authenticate` may know the answer. */
export interface Step {
  path: '/oauth/authorize' | '/oauth/authenticate'
  /** Whether a user who granted the app before is not asked again. Not for apps that show a pin. */
  signIn: boolean
}

/** What the address of the page asks for. */
export interface Asked {
  oauth_token: string
  force_login?: string
  screen_name?: string
}

/** What a form of the page sends. */
export interface Decision {
  oauth_token: string
  form_token: string
  decision: 'sign-in' | 'approve' | 'cancel'
  screen_name?: string
  password?: string
}

export const VISIT_SECONDS = 3600
export const VISIT_BYTES = 32

/** Shows the sign-in form, the question, or (where the answer is known) the way back to the app. */
export async function show(
  step: Step,
  { query, headers }: { query: Asked; headers: IncomingHttpHeaders },
  context: OauthDependencies,
): Promise<BytesReply> {
  const request = await requestFor(step, query.oauth_token, context)
  const session = query.force_login === 'true' ? undefined : await findSession(headers, context)
  if (!session) return askPassword(step, request, headers, { screenName: query.screen_name ?? '' }, context)
  // A browser that only looks ahead must not use the request token up.
  const goesOn = step.signIn && headers['sec-purpose'] === undefined
  if (goesOn && (await grantedBefore(request, session.user, context)))
    return letIn(request, session.user, context)
  return await askConsent(step, request, session, context)
}

/** Takes what the user sent: a password, or the answer to the question. */
export async function decide(
  step: Step,
  { form, headers, address }: { form: Decision; headers: IncomingHttpHeaders; address: string },
  context: OauthDependencies,
): Promise<BytesReply> {
  const session = await findSession(headers, context)
  const visit = readCookie(headers, VISIT_COOKIE)
  const sent = { token: form.form_token, subject: form.oauth_token, headers }
  switch (form.decision) {
    case 'sign-in': {
      checkForm(sent, [visit], context)
      const request = await requestFor(step, form.oauth_token, context)
      const { screen_name: screenName = '', password = '' } = form
      const user = await checkPassword(screenName, password, address, context)
      if (!user) return askPassword(step, request, headers, { screenName, failed: true }, context)
      // The page is asked for anew, so that reloading it does not send the password again.
      const { path, name } = context.naming.vocabulary
      const target = `${path(step.path)}?${name('oauth_token')}=${encode(form.oauth_token)}`
      return seeOther(target, [await beginSession(user, headers, context)])
    }
    case 'approve': {
      checkForm(sent, [session?.id], context)
      const request = await requestFor(step, form.oauth_token, context)
      if (!session) throw apiError('form not authentic', 'no session')
      return letIn(request, session.user, context)
    }
    case 'cancel': {
      checkForm(sent, [session?.id, visit], context)
      const request = await requestFor(step, form.oauth_token, context)
      await deny(request, context)
      const { name } = context.naming.vocabulary
      if (request.row.callback === OUT_OF_BAND) return shown(deniedPage(request.app))
      return found(callbackWith(request.row.callback, [[name('denied'), request.token]]))
    }
  }
}

async function requestFor(
  step: Step,
  token: string,
  context: Pick<OauthDependencies, 'store' | 'sealer' | 'clock' | 'credentials'>,
): Promise<OpenRequest> {
  const request = await openRequest(token, context)
  const pin = request.app.kind === 'desktop' || request.row.callback === OUT_OF_BAND
  if (step.signIn && pin) throw apiError('client not permitted', 'a desktop app must use authorize')
  return request
}

/** Whether the user has let the app do as much before, and the app may take that for an answer. */
async function grantedBefore(
  { app, row }: OpenRequest,
  user: UserRow,
  { store }: Pick<OauthDependencies, 'store'>,
): Promise<boolean> {
  if (!app.signIn) return false
  const grant = await store.first(grantOf, { appId: app.id, userId: user.id })
  return grant !== undefined && covers(grant.access as Permission, row.access as Permission)
}

async function letIn(
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

function askPassword(
  step: Step,
  request: OpenRequest,
  headers: IncomingHttpHeaders,
  filled: { screenName: string; failed?: boolean },
  { sealer, random, naming }: Pick<OauthDependencies, 'sealer' | 'random' | 'naming'>,
): BytesReply {
  const known = readCookie(headers, VISIT_COOKIE)
  const visit = known ?? random.bytes(VISIT_BYTES).toString('base64url')
  const page = signInPage({
    action: naming.vocabulary.path(step.path),
    request,
    formToken: formToken(visit, request.token, sealer),
    say: naming.vocabulary.name,
    ...filled,
  })
  return shown(page, {
    status: filled.failed ? 401 : 200,
    targets: targetsOf(request),
    cookies: [cookie(VISIT_COOKIE, visit, VISIT_SECONDS)],
  })
}

async function askConsent(
  step: Step,
  request: OpenRequest,
  session: Session,
  { sealer, naming, store }: Pick<OauthDependencies, 'sealer' | 'naming' | 'store'>,
): Promise<BytesReply> {
  const page = consentPage({
    action: naming.vocabulary.path(step.path),
    request,
    user: session.user,
    advertises: await advertises(session.user, store),
    formToken: formToken(session.id, request.token, sealer),
    say: naming.vocabulary.name,
  })
  return shown(page, { targets: targetsOf(request) })
}

/** Whether an access token of the user reaches advertising accounts. */
export const advertises = async (user: UserRow, store: OauthDependencies['store']): Promise<boolean> =>
  (await store.first(someAccount, { userId: user.id })) !== undefined

const targetsOf = ({ row }: OpenRequest) => (row.callback === OUT_OF_BAND ? [] : [policySource(row.callback)])
