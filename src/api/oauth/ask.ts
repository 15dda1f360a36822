import type { IncomingHttpHeaders } from 'node:http'
import { readCookie } from '../../platform/http/input/browser.ts'
import type { BytesReply } from '../../platform/http/reply-kinds.ts'
import { policySource } from './callback.ts'
import type { OauthDependencies } from './endpoint.ts'
import { formToken } from './forms.ts'
import { seeOther, shown } from './page.ts'
import { consentPage, signInPage } from './pages.ts'
import { OUT_OF_BAND, type PermissionSummary, type Question } from './question.ts'
import {
  beginSession,
  checkPassword,
  cookie,
  newVisit,
  type Session,
  VISIT_COOKIE,
  VISIT_SECONDS,
} from './sessions.ts'

type PageDependencies = Pick<OauthDependencies, 'sealer' | 'random' | 'naming'>

/** The sign-in form, shown before the question. */
export function askPassword(
  question: Question,
  headers: IncomingHttpHeaders,
  filled: { screenName: string; failed?: boolean },
  { sealer, random, naming }: PageDependencies,
): BytesReply {
  const visit = readCookie(headers, VISIT_COOKIE) ?? newVisit(random)
  const page = signInPage({
    question,
    action: question.action,
    formToken: formToken(visit, question.subject, sealer),
    say: naming.vocabulary.name,
    ...filled,
  })
  return shown(page, {
    status: filled.failed ? 401 : 200,
    targets: targetsOf(question),
    cookies: [cookie(VISIT_COOKIE, visit, VISIT_SECONDS)],
  })
}

/** The question, for a signed-in user. */
export function askConsent(
  question: Question,
  session: Session,
  permitted: PermissionSummary,
  { sealer, naming }: Pick<OauthDependencies, 'sealer' | 'naming'>,
): BytesReply {
  const page = consentPage({
    question,
    action: question.action,
    user: session.user,
    permitted,
    formToken: formToken(session.id, question.subject, sealer),
    say: naming.vocabulary.name,
  })
  return shown(page, { targets: targetsOf(question) })
}

const targetsOf = ({ callback }: Question) => (callback === OUT_OF_BAND ? [] : [policySource(callback)])

/** The fields of a sign-in form. */
interface SignInInput {
  screen_name?: string
  password?: string
}

/** Handles the sign-in form before a question. The form token was checked already. */
export async function signIn(
  question: Question,
  { form, headers, address }: { form: SignInInput; headers: IncomingHttpHeaders; address: string },
  context: OauthDependencies,
): Promise<BytesReply> {
  const { screen_name: screenName = '', password = '' } = form
  const user = await checkPassword(screenName, password, address, context)
  if (!user) return askPassword(question, headers, { screenName, failed: true }, context)
  // Redirects to the page, so that reloading it does not send the password again.
  return seeOther(question.address, [await beginSession(user, headers, context)])
}
