import { CapacityError, type Gate } from '../../platform/common/gate.ts'
import type { Sink } from '../../platform/http/streams.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { ADMIN } from './endpoint.ts'
import { entered } from './entered.ts'

/** What endpoints have in common whose reply says how their work goes on, a line at a time. */
export const STREAMED = {
  ...ADMIN,
  replyKind: 'stream',
  errors: [...ADMIN.errors, 'conflict'],
} as const

/** Enters a gate for as long as the work runs, or rejects the call with a 409 that says why. */
export const alone = (gate: Gate, explanation: string): Promise<() => void> =>
  entered(gate).catch((error: unknown) => {
    if (!(error instanceof CapacityError)) throw error
    throw apiError('conflict', { explanation })
  })

/** Sends a message of the work. It goes on when other requests have had their turn. */
export const sayInto = <Message>(sink: Sink<{ data: Message }>) => {
  return async (data: Message): Promise<void> => {
    await sink.send({ data })
    await new Promise((resolve) => setImmediate(resolve))
  }
}
