import { bigint, flag, integer, type RowOf, table, text } from './table.ts'

/** Few small values that are read often: the credential epoch and the check of the master key. */
export const settings = table(
  'settings',
  {
    name: text(),
    value: text(),
  },
  {
    key: ['name'],
    rows: [
      { name: 'credential_epoch', value: '1' },
      { name: 'event_positions', value: '0' },
      { name: 'news_generation', value: '0' },
    ],
  },
)

export const nodes = table(
  'nodes',
  {
    node: integer(),
    /** Unique per start of a process. */
    holder: text(),
    /** The machine and the data folder. */
    place: text(),
    host: text(),
    pid: integer(),
    redis: flag(),
    renewed_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['node'],
  },
)

export type NodeRow = RowOf<typeof nodes>
