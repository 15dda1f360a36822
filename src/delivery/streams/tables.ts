import { apps } from '../../identity/apps/tables.ts'
import { bigint, bytewise, id64, type RowOf, table, text } from '../../platform/storage/table.ts'
import { webhooks } from '../webhooks/tables.ts'

/** A rule of the streams of an app. Rules are added and deleted, never changed. */
export const streamRules = table(
  'stream_rules',
  {
    id: id64(),
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

/**
 * Connections to streams, open or ended. Ended ones are the history of an app, which is limited.
 */
export const streamConnections = table(
  'stream_connections',
  {
    /** A UUID. */
    id: bytewise(),
    app_id: text({ belongsTo: apps }),
    /** The stream, as the interface names it: `filtered_stream`. */
    endpoint_name: text(),
    /** The partition of a stream that has several; 0 for others. */
    partition: bigint(),
    /** `live`, or `recovery`, which sends a past period and ends. */
    purpose: text(),
    /** The process that holds it open; unique per start. */
    holder: text(),
    client_ip: text(),
    connected_at: bigint(),
    /** Null while it is open. */
    disconnected_at: bigint({ null: true }),
    disconnect_reason: text({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      stream_connections_by_app: ['app_id', 'connected_at', 'id'],
      stream_connections_open: {
        on: ['app_id', 'endpoint_name', 'partition', 'purpose'],
        where: 'disconnected_at is null',
      },
      stream_connections_by_holder: { on: ['holder'], where: 'disconnected_at is null' },
      stream_connections_by_age: { on: ['disconnected_at'], where: 'disconnected_at is not null' },
    },
  },
)

/** Webhooks that receive the posts of the filtered stream of their app. */
export const streamLinks = table(
  'stream_links',
  {
    webhook_id: text({ belongsTo: webhooks }),
    app_id: text({ belongsTo: apps }),
    /** A JSON object: the fields and expansions of the posts. */
    selection: text(),
    created_at: bigint(),
  },
  { key: ['webhook_id'], indexes: { stream_links_by_app: ['app_id', 'webhook_id'] } },
)

export type StreamLinkRow = RowOf<typeof streamLinks>

export type StreamRuleRow = RowOf<typeof streamRules>

export type StreamConnectionRow = RowOf<typeof streamConnections>
