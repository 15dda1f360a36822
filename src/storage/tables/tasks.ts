import { bigint, bytewise, flag, integer, serial, table, text } from '../table.ts'

/** What is to be done later. */
export const tasks = table(
  'tasks',
  {
    /** Never used twice, so that an old lease fits no new task. */
    id: serial(),
    kind: bytewise(),
    /** Of one kind, at most one task waits for each subject. */
    subject: bytewise({ null: true }),
    /** Of one kind, at most one task of each key runs at a time. */
    concurrency_key: bytewise({ null: true }),
    /** JSON. */
    payload: text(),
    /** `waiting`, which includes what is running, or `dead`. */
    state: text(),
    /** When it may run; while it is leased, when the lease ends; of a dead letter, when it became one. */
    due_at: bigint(),
    /** Whether a worker has it. */
    leased: flag(),
    /** Grows with each lease: whoever has an older one cannot record an outcome. */
    fence: bigint(),
    /** Runs that began since it last went well. */
    attempts: integer(),
    /** When it was asked to run again, while it ran. */
    again_at: bigint({ null: true }),
    /** Why it last failed. */
    reason: text({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      tasks_due: { on: ['kind', 'due_at', 'id'], where: "state = 'waiting'" },
      tasks_subject: { on: ['kind', 'subject'], unique: true, where: "state = 'waiting'" },
      tasks_running_key: { on: ['kind', 'concurrency_key'], unique: true, where: 'leased = 1' },
      tasks_dead: { on: ['id'], where: "state = 'dead'" },
    },
  },
)
