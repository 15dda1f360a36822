import type { Logger } from 'pino'
import { type Consumer, SkippedEvent, SkippedStep } from './follower.ts'

const LOST = 'what would have followed is missing and does not come again'

/**
 * Logs what a consumer could not handle: whether it is retried, and if not, what the operator can
 * do.
 */
export const reportTo =
  (log: Pick<Logger, 'error'>, { name: consumer, remedy }: Pick<Consumer, 'name' | 'remedy'>) =>
  (error: unknown): void => {
    const at = { err: error, consumer }
    const advice = remedy ?? LOST
    if (error instanceof SkippedEvent) {
      const { position, kind } = error.event
      log.error({ ...at, position, event: kind }, `an event was skipped, it is not retried: ${advice}`)
    } else if (error instanceof SkippedStep)
      log.error(at, `what comes before the next events was skipped, it is not retried: ${advice}`)
    else log.error(at, 'events could not be handled; they will be retried')
  }
