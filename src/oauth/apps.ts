import type { IncomingHttpHeaders } from 'node:http'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { OauthDependencies } from './dependencies.ts'
import { endpoint } from './endpoint.ts'
import { moveCredentialEpoch, removeGrant } from '../identity/queries.ts'
import { apiError } from '../protocols/catalogue.ts'
import type { BytesReply } from '../http/reply-kinds.ts'
import { choice, id, text } from '../http/schema.ts'
import { advertises, VISIT_BYTES, VISIT_SECONDS } from './consent.ts'
import { cookie, readCookie, SESSION_COOKIE, VISIT_COOKIE } from './cookies.ts'
import { checkForm, formToken } from './forms.ts'
import { page, pageForm, seeOther, shown } from './page.ts'
import { appsPage, appsSignInPage, signedOutPage } from './pages.ts'
import { typed } from './parameters.ts'
import { grantedApps, removeApprovals } from './queries.ts'
import type { Session } from './sessions.ts'
import { beginSession, checkPassword, endSession, findSession } from './sessions.ts'

const PATH = '/oauth/apps'
/** What the forms of this page are about, in their tokens. */
export const APPS = 'apps'
const PAGE_SIZE = 50

const form_token = text(1, 100, 'Only our own page knows it.')
const decision = {
  form_token,
  decision: choice(['sign-in', 'revoke'], 'The button that was pressed.'),
  app_id: Type.Optional(id('Whose access ends.')),
  ...typed,
}
type Decision = Static<ReturnType<typeof Type.Object<typeof decision>>>

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
  query: { after: Type.Optional(id('The app after which the page begins.')) },
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
    const session = await findSession(headers, context)
    if (session) {
      checkForm({ token: form.form_token, subject: APPS, headers }, [session.id], context)
      await endSession(session, context)
    }
    return shown(signedOutPage(), { cookies: [cookie(SESSION_COOKIE, '', 0)] })
  },
})

async function signIn(
  form: Decision,
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

/** Ends the token of an app, and sign-ins under way that would give it another, in one transaction. */
async function revoke(
  form: Decision,
  headers: IncomingHttpHeaders,
  context: OauthDependencies,
): Promise<BytesReply> {
  const session = await findSession(headers, context)
  checkForm({ token: form.form_token, subject: APPS, headers }, [session?.id], context)
  if (!session) throw apiError('form not authentic', 'no session')
  const at = { userId: session.user.id, appId: form.app_id ?? '' }
  const ended = await context.store.write(async (tx) => {
    await tx.run(removeApprovals, at)
    const removed = await tx.run(removeGrant, at)
    if (removed > 0) await tx.run(moveCredentialEpoch, {})
    return removed > 0
  })
  const notice = ended ? 'The app no longer has access.' : 'The app had no access.'
  return showApps(session, context, { notice })
}

async function showApps(
  { id: binding, user }: Session,
  context: OauthDependencies,
  { after = '', notice }: { after?: string | undefined; notice?: string } = {},
): Promise<BytesReply> {
  const { store, sealer, naming } = context
  const { path, name } = naming.vocabulary
  const granted = await store.all(grantedApps, { userId: user.id, after, limit: PAGE_SIZE + 1 })
  const some = granted.slice(0, PAGE_SIZE)
  const last = granted.length > PAGE_SIZE ? some.at(-1)?.app_id : undefined
  const reaches = await advertises(user, store)
  const body = appsPage({
    action: path(PATH),
    signOut: path(signOut.path),
    user,
    apps: some.map((app) => ({ ...app, advertises: reaches })),
    next: last === undefined ? undefined : `${path(PATH)}?${name('after')}=${last}`,
    notice,
    formToken: formToken(binding, APPS, sealer),
    say: name,
  })
  return shown(body)
}

function askPassword(
  headers: IncomingHttpHeaders,
  { sealer, random, naming }: Pick<OauthDependencies, 'sealer' | 'random' | 'naming'>,
  filled: { screenName: string; failed?: boolean } = { screenName: '' },
): BytesReply {
  const visit = readCookie(headers, VISIT_COOKIE) ?? random.bytes(VISIT_BYTES).toString('base64url')
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
