import type { IncomingHttpHeaders } from 'node:http'
import type { BytesReply } from '../http/reply-kinds.ts'
import { askPassword } from './ask.ts'
import type { OauthDependencies } from './dependencies.ts'
import { seeOther } from './page.ts'
import type { Question } from './question.ts'
import { beginSession, checkPassword } from './sessions.ts'

/** What a sign-in form sends. */
interface Typed {
  screen_name?: string
  password?: string
}

/** Takes the sign-in form in front of a question. The form itself was checked. */
export async function signIn(
  question: Question,
  { form, headers, address }: { form: Typed; headers: IncomingHttpHeaders; address: string },
  context: OauthDependencies,
): Promise<BytesReply> {
  const { screen_name: screenName = '', password = '' } = form
  const user = await checkPassword(screenName, password, address, context)
  if (!user) return askPassword(question, headers, { screenName, failed: true }, context)
  // The page is asked for again, so that reloading it does not send the password again.
  return seeOther(question.address, [await beginSession(user, headers, context)])
}
