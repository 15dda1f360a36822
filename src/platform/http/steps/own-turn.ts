import type { Step } from '../contract.ts'
import { plain } from '../schema.ts'

/**
 * Lists are handled one after the other. Requests of one turn that wait for the store resume together: each would hold its
 * rows until all of them have read theirs, and the garbage collector would copy them.
 */
export const ownTurn: Step = {
  name: 'own turn',
  compile({ replyKind, reply }) {
    if (replyKind !== 'json' || !hasList(plain(reply))) return undefined
    return () => new Promise((resolve) => setImmediate(resolve))
  },
}

const hasList = ({ properties = {} }: ReturnType<typeof plain>): boolean =>
  Object.values(properties).some(({ type, items }) => type === 'array' && items?.type === 'object')
