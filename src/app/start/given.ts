import type { Logger } from 'pino'
import type { PlazaEndpoint } from '../../identity/auth/endpoint.ts'
import type { Clock, TimeSource } from '../../platform/common/clock.ts'
import type { RandomSource } from '../../platform/common/random.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { JournalRecord } from '../../workbench/journal/journal.ts'
import type { Context } from './context.ts'

/** Dependencies and settings of a start that tests replace. */
export interface StartOverrides {
  clock?: Clock
  /** Real time, to measure intervals. */
  monotonic?: TimeSource
  random?: RandomSource
  outbound?: Outbound
  log?: Logger
  endpoints?: readonly PlazaEndpoint<Context>[]
  /** Called for each entry of the journal. */
  onJournal?: (record: JournalRecord) => void
  /** Whether the function of each write runs twice, the first time in vain. */
  runWritesTwice?: boolean
  /** Whether tasks run by themselves. If false, only those that `tasks.runDue` is asked for. */
  backgroundTasks?: boolean
  /** Whether deliveries to webhooks are sent by themselves. Defaults to the value of `tasks`. */
  backgroundDeliveries?: boolean
  /**
   * How long the position of a consumer that ignored its events may stay unstored, in milliseconds.
   */
  storeIgnoredAfterMs?: number
  /**
   * The number of rounds of the seed's password hashes. The usual number takes a quarter of a
   * second for each hash.
   */
  passwordRounds?: number
}
