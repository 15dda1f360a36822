import type { ApiError } from '../../http/errors.ts'
import { invalid } from '../../http/errors.ts'
import type { Message } from '../../http/message.ts'

/** A member of the body breaks a rule of posts. */
export const wrong = (name: string, value: string, explanation: Message): ApiError =>
  invalid({ place: 'body', name, value, fault: { kind: 'rule', explanation } })
