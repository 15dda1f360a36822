import type { IncomingHttpHeaders } from 'node:http'
import type { OauthDependencies } from './dependencies.ts'
import { sameText } from '../common/same-text.ts'
import { apiError } from '../protocols/catalogue.ts'
import type { Sealer } from '../storage/seal.ts'

/**
 * What a form carries so that only our page in this browser can have sent it: bound to a secret of the browser
 * (its session, or before the sign-in its visit) and to what the form is about: a request for access, or `apps`.
 */
export function formToken(binding: string, subject: string, sealer: Sealer): string {
  return sealer.derive('form token', binding, subject).toString('base64url')
}

/** Rejects a form that was not sent by one of our pages. `bindings` are the browser's secrets that count here. */
export function checkForm(
  sent: { token: string; subject: string; headers: IncomingHttpHeaders },
  bindings: readonly (string | undefined)[],
  { sealer, config }: Pick<OauthDependencies, 'sealer' | 'config'>,
): void {
  if (!fromHere(sent.headers, config.coreUrl)) throw apiError('form not authentic', 'sent from another site')
  const authentic = bindings.some(
    (binding) => binding !== undefined && sameText(sent.token, formToken(binding, sent.subject, sealer)),
  )
  if (!authentic) throw apiError('form not authentic', 'the form token is not of this browser')
}

/** What browsers say themselves about where a form came from; one that says nothing is judged by the token. */
function fromHere(headers: IncomingHttpHeaders, publicOrigin: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin } = headers
  return origin === undefined || origin === publicOrigin || origin === `https://${headers.host}`
}
