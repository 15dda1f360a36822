import type { IncomingHttpHeaders } from 'node:http'
import { type Static, Type } from 'typebox'
import type { Permission } from '../../identity/apps/app.ts'
import { endAccessToken } from '../../identity/tokens/access-tokens.ts'
import { readScopes } from '../../identity/tokens/scopes.ts'
import { endUserGrants } from '../../identity/tokens/user-tokens.ts'
import { readCookie } from '../../platform/http/input/browser.ts'
import type { BytesReply } from '../../platform/http/reply-kinds.ts'
import { choice, id, text } from '../../platform/http/schema.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { advertises } from './consent.ts'
import { endpoint, type OauthDependencies } from './endpoint.ts'
import { checkForm, checkOrigin, formToken } from './forms.ts'
import { page, pageForm, seeOther, shown } from './page.ts'
import { appsPage, appsSignInPage, levelWords, scopeWords, signedOutPage } from './pages.ts'
import { signInFields } from './parameters.ts'
import { type GrantedApp, grantedApps, grantedScopes, removeApprovals } from './queries.ts'
import {
  beginSession,
  checkPassword,
  cookie,
  endSession,
  findSession,
  newVisit,
  SESSION_COOKIE,
  type Session,
  VISIT_COOKIE,
  VISIT_SECONDS,
} from './sessions.ts'

const PATH = '/oauth/apps'
/** What the form tokens of this page are bound to. */
export const APPS = 'apps'
const PAGE_SIZE = 50

const form_token = text(1, 100, 'Only our own page knows it.')
const decision = {
  form_token,
  decision: choice(['sign-in', 'revoke'], 'The button that was pressed.'),
  app_id: Type.Optional(id('Whose access ends.')),
  ...signInFields,
}
type AppsForm = Static<ReturnType<typeof Type.Object<typeof decision>>>

/** GET /oauth/apps: the apps with access to the account of the signed-in user. */
export const apps = endpoint({
  id: 'apps',
  host: 'core',
  method: 'GET',
  path: PATH,
  summary: 'Show the apps with access',
  description:
    'A page for the browser: signs the user in and shows the apps with access to the account, what each app may do, and a button that revokes its access.',
  source: 'OAuth endpoints',
  auth: ['none'],
  limits: { address: '180/15m' },
  query: { after: Type.Optional(id('The last app of the previous page.')) },
  replyKind: 'page',
  reply: page,
  async handle({ query, headers }, context) {
    const session = await findSession(headers, context)
    return session ? showApps(session, context, { after: query.after }) : askPassword(headers, context)
  },
})

/** POST /oauth/apps: the forms of that page. */
export const appsDecision = endpoint({
  ...pageForm,
  id: 'appsDecision',
  path: PATH,
  summary: 'Sign in, or revoke the access of an app',
  form: decision,
  errors: ['user suspended', 'form not authentic'],
  handle: ({ form, headers, address }, context) =>
    form.decision === 'sign-in' ? signIn(form, headers, address, context) : revoke(form, headers, context),
})

/** POST /oauth/sign_out: ends the session of this browser. */
export const signOut = endpoint({
  ...pageForm,
  id: 'signOut',
  path: '/oauth/sign_out',
  summary: 'Sign out',
  description: 'Ends the session of the browser that sends the form of our own page. Apps keep their access.',
  form: { form_token },
  errors: ['form not authentic'],
  async handle({ form, headers }, context) {
    checkOrigin(headers, context)
    const session = await findSession(headers, context)
    // The session has ended already, so there is nothing that the form could be checked by, and
    // nothing to do.
    if (!session) return shown(signedOutPage())
    checkForm({ token: form.form_token, subject: APPS, headers }, [session.id], context)
    await endSession(session, context)
    return shown(signedOutPage(), { cookies: [cookie(SESSION_COOKIE, '', 0)] })
  },
})

async function signIn(
  form: AppsForm,
  headers: IncomingHttpHeaders,
  address: string,
  context: OauthDependencies,
): Promise<BytesReply> {
  const visit = readCookie(headers, VISIT_COOKIE)
  checkForm({ token: form.form_token, subject: APPS, headers }, [visit], context)
  const { screen_name: screenName = '', password = '' } = form
  const user = await checkPassword(screenName, password, address, context)
  if (!user) return askPassword(headers, context, { screenName, failed: true })
  return seeOther(context.naming.vocabulary.path(PATH), [await beginSession(user, headers, context)])
}

/**
 * Ends the tokens of an app, and sign-ins in progress that would create others, in one transaction.
 */
async function revoke(
  form: AppsForm,
  headers: IncomingHttpHeaders,
  context: OauthDependencies,
): Promise<BytesReply> {
  const session = await findSession(headers, context)
  checkForm({ token: form.form_token, subject: APPS, headers }, [session?.id], context)
  if (!session) throw apiError('form not authentic', 'no session')
  const at = { userId: session.user.id, appId: form.app_id ?? '' }
  const ended = await context.store.write(async (tx) => {
    await tx.run(removeApprovals, at)
    const signing = await endAccessToken(tx, at)
    const others = await endUserGrants(tx, at)
    return signing || others
  })
  const notice = ended ? 'The app no longer has access.' : 'The app had no access.'
  return showApps(session, context, { notice })
}

async function showApps(
  { id: binding, user }: Session,
  context: OauthDependencies,
  { after = '', notice }: { after?: string | undefined; notice?: string } = {},
): Promise<BytesReply> {
  const { store, sealer, naming, clock } = context
  const { path, name } = naming.vocabulary
  const at = { userId: user.id, now: clock.now() }
  const granted = await store.all(grantedApps, { ...at, after, limit: PAGE_SIZE + 1 })
  const page = granted.slice(0, PAGE_SIZE)
  const appIds = JSON.stringify(page.map(({ app_id }) => app_id))
  const scopes = await store.all(grantedScopes, { ...at, appIds })
  const last = granted.length > PAGE_SIZE ? page.at(-1)?.app_id : undefined
  const reaches = await advertises(user, store)
  const body = appsPage({
    action: path(PATH),
    signOut: path(signOut.path),
    user,
    apps: page.map((app) => ({ ...app, may: permittedTo(app, scopes, reaches) })),
    next: last === undefined ? undefined : `${path(PATH)}?${name('after')}=${last}`,
    notice,
    formToken: formToken(binding, APPS, sealer),
    say: name,
  })
  return shown(body)
}

/** What an app may do with all of its tokens together. */
function permittedTo(
  { app_id, access }: GrantedApp,
  granted: readonly { app_id: string; scopes: string }[],
  advertises: boolean,
): string[] {
  const scopes = granted.filter((grant) => grant.app_id === app_id).map((grant) => grant.scopes)
  return [
    ...(access === null ? [] : levelWords(access as Permission, advertises).may),
    ...scopeWords(readScopes(scopes.join(' '))).may,
  ]
}

function askPassword(
  headers: IncomingHttpHeaders,
  { sealer, random, naming }: Pick<OauthDependencies, 'sealer' | 'random' | 'naming'>,
  filled: { screenName: string; failed?: boolean } = { screenName: '' },
): BytesReply {
  const visit = readCookie(headers, VISIT_COOKIE) ?? newVisit(random)
  const body = appsSignInPage({
    action: naming.vocabulary.path(PATH),
    formToken: formToken(visit, APPS, sealer),
    say: naming.vocabulary.name,
    ...filled,
  })
  return shown(body, {
    status: filled.failed ? 401 : 200,
    cookies: [cookie(VISIT_COOKIE, visit, VISIT_SECONDS)],
  })
}
