import type { IncomingHttpHeaders } from 'node:http'
import type { BytesReply } from '../../platform/http/reply-kinds.ts'
import { askPassword } from './ask.ts'
import type { OauthDependencies } from './dependencies.ts'
import { seeOther } from './page.ts'
import type { Question } from './question.ts'
import { beginSession, checkPassword } from './sessions.ts'

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
