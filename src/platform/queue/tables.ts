import { bigint, bytewise, flag, integer, type RowOf, serial, table, text } from '../storage/table.ts'

/** Background tasks. */
export const tasks = table(
  'tasks',
  {
    /** Never reused, so that an old lease never matches a new task. */
    id: serial(),
    kind: bytewise(),
    /** At most one task of a kind is queued for each subject. */
    subject: bytewise({ null: true }),
    /** Whose work it is: owners take turns. Empty: nobody's in particular. */
    owner: bytewise({ default: '' }),
    /** At most one task of a kind runs at a time for each key. */
    concurrency_key: bytewise({ null: true }),
    /** JSON. */
    payload: text(),
    /** `waiting`, which includes running tasks, or `dead`. */
    state: text(),
    /**
     * When it is due; while it is leased, when the lease ends; for a dead letter, when it became
     * one.
     */
    due_at: bigint(),
    /** Its place among the due tasks of its kind. Null before it is due, and while it runs. */
    turn: bigint({ null: true }),
    /** Whether a worker has leased it. */
    leased: flag(),
    /** The node that leased it last. */
    holder: bytewise({ null: true }),
    /**
     * Fencing token: grows with each lease, so that the worker of an older lease cannot record an
     * outcome.
     */
    fence: bigint(),
    /** Attempts since its last success. */
    attempts: integer(),
    /** When it was enqueued again while it ran. */
    again_at: bigint({ null: true }),
    /** Why it last failed. */
    reason: text({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      tasks_due: { on: ['kind', 'due_at', 'id'], where: "state = 'waiting' and turn is null" },
      tasks_ready: { on: ['kind', 'turn', 'due_at', 'id'], where: 'turn is not null' },
      tasks_ready_of_owner: { on: ['kind', 'owner', 'turn'], where: 'turn is not null' },
      tasks_subject: { on: ['kind', 'subject'], unique: true, where: "state = 'waiting'" },
      tasks_running_key: { on: ['kind', 'concurrency_key'], unique: true, where: 'leased = 1' },
      tasks_dead: { on: ['id'], where: "state = 'dead'" },
    },
  },
)

export type TaskRow = RowOf<typeof tasks>
