import type { Protocol } from '../../http/protocol.ts'
import { legacy } from '../legacy/protocol.ts'
import { page as render } from './errors.ts'

/** Pages for a browser. */
export const page: Protocol = {
  name: 'page',
  // What a person types into a form must not be taken from an address, which is kept and shown.
  input: {
    ...legacy.input,
    pairs: ({ form, fields }) => (fields.length === 0 ? form : [...form, ...fields]),
  },
  challenges: false,
  render,
}
