import type { Protocol } from '../../http/contract.ts'
import { legacy } from '../legacy/protocol.ts'
import { formOnly } from '../parameters.ts'
import { page as render } from './errors.ts'

/** Pages for a browser. */
export const page: Protocol = {
  name: 'page',
  input: { ...legacy.input, pairs: formOnly },
  challenges: false,
  render,
}
