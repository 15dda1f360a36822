import type { Consumer } from './events/follower.ts'
import type { TaskKind } from './queue/task.ts'

/**
 * What a resource adds to a running Plaza, beside its tables and endpoints: each folder with
 * background work exports one. `Context`: the dependencies that it needs.
 */
export interface Module<Context> {
  /** Its kinds of tasks. */
  tasks?(context: Context): readonly TaskKind<never>[]
  /** Its consumers of the event log. */
  consumers?(context: Context): readonly Consumer[]
}
