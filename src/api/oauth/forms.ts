import type { IncomingHttpHeaders } from 'node:http'
import { sameText } from '../../platform/common/same-text.ts'
import { isSentFrom } from '../../platform/http/input/browser.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { OauthDependencies } from './endpoint.ts'

/**
 * A token in each form, which proves that our page in this browser sent it. It is bound to a secret
 * of the browser (its session, or before the sign-in its visit) and to the subject of the form: a
 * request for access, or `apps`.
 */
export function formToken(binding: string, subject: string, sealer: Sealer): string {
  return sealer.derive('form token', binding, subject).toString('base64url')
}

/** Rejects a form that the page of another site sent. Browsers send no session with such a form. */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  { config }: Pick<OauthDependencies, 'config'>,
): void {
  if (!isSentFrom(headers, [config.coreUrl, `https://${headers.host}`]))
    throw apiError('form not authentic', 'sent from another site')
}

/**
 * Rejects a form that none of our pages sent. Nothing is changed, and no cookie is set, before this
 * check. `bindings` are the secrets of the browser that are valid here.
 */
export function checkForm(
  submitted: { token: string; subject: string; headers: IncomingHttpHeaders },
  bindings: readonly (string | undefined)[],
  { sealer, config }: Pick<OauthDependencies, 'sealer' | 'config'>,
): void {
  checkOrigin(submitted.headers, { config })
  const authentic = bindings.some(
    (binding) =>
      binding !== undefined && sameText(submitted.token, formToken(binding, submitted.subject, sealer)),
  )
  if (!authentic) throw apiError('form not authentic', 'the form token is not of this browser')
}
