import { type ApiError, invalid } from '../../../platform/http/errors.ts'
import type { Message } from '../../../platform/http/message.ts'

/** A member of the body breaks a rule of posts. */
export const wrong = (name: string, value: string, explanation: Message): ApiError =>
  invalid({ place: 'body', name, value, fault: { kind: 'rule', explanation } })
