import { invalid } from '../../http/errors.ts'
import type { Message } from '../../http/message.ts'

/** A parameter of a form names what it cannot name. */
export const wrongIn = (name: string) => (value: string, explanation: Message) =>
  invalid({ place: 'form', name, value, fault: { kind: 'rule', explanation } })
