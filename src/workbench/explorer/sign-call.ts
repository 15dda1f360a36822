import { type RequestSignature, type RequestToSign, signRequest } from '../../identity/auth/signature/sign.ts'
import { type Pair, parsePairs } from '../../platform/http/input/form.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The content type of a call, and its body. */
export interface CallBody {
  readonly contentType: string | undefined
  readonly body: string | undefined
}

/** A body that is declared as a form cannot be read as one. */
export class MalformedForm extends Error {
  override readonly name = 'MalformedForm'
}

/**
 * Signs a call as a client does: the fields of a form body are signed, any other body is not.
 * @throws MalformedForm
 */
export function signCall(
  { contentType, body }: CallBody,
  request: Omit<RequestToSign, 'form'>,
): RequestSignature {
  const isForm = contentType?.toLowerCase().startsWith(FORM_TYPE) === true
  const form: readonly Pair[] | undefined = isForm ? parsePairs(body ?? '') : []
  if (!form) throw new MalformedForm('The body is not a well-formed form.')
  return signRequest({ ...request, form })
}
