import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'
import { page as render } from './errors.ts'

/** Pages for a browser. */
export const page: Protocol = {
  name: 'page',
  // Form input must not be read from the URL, which browsers store and display.
  input: {
    ...legacy.input,
    pairs: ({ form, fields }) => (fields.length === 0 ? form : [...form, ...fields]),
  },
  challenges: false,
  render,
}
