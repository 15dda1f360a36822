import { invalid } from '../../../platform/http/errors.ts'
import type { Message } from '../../../platform/http/message.ts'

/** The error of a form parameter that names something invalid. */
export const wrongIn = (name: string) => (value: string, explanation: Message) =>
  invalid({ place: 'form', name, value, fault: { kind: 'rule', explanation } })
