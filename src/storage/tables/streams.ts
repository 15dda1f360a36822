import { bigint, bytewise, table, text } from '../table.ts'
import { apps } from './identity.ts'

/** A rule of the streams of an app. Rules are added and deleted, never changed. */
export const streamRules = table(
  'stream_rules',
  {
    id: bytewise(),
    app_id: text({ belongsTo: apps }),
    /** `filtered` or `powerstream`. */
    stream: text(),
    value: text(),
    tag: text({ null: true }),
    /** Equal for two rules with the same value. */
    fingerprint: text(),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      stream_rules_by_app: ['app_id', 'stream', 'id'],
      stream_rules_by_value: { on: ['app_id', 'stream', 'fingerprint'], unique: true },
    },
  },
)
