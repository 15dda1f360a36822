import { bigint, flag, type RowOf, table, text } from '../../platform/storage/table.ts'

export const apps = table(
  'apps',
  {
    id: text(),
    owner_user_id: text(),
    name: text(),
    website: text(),
    consumer_key: text({ unique: true }),
    consumer_secret_sealed: text(),
    permission: text(),
    kind: text(),
    sign_in: flag(),
    suspended: flag(),
    /**
     * Incremented on each invalidation: the app's bearer token is derived from it, so a revoked one
     * never becomes valid again.
     */
    bearer_generation: bigint(),
    /** The hash of the current bearer token; null if there is none. */
    bearer_hash: text({ null: true, unique: true }),
    created_at: bigint(),
    /** The OAuth 2.0 client id; null if the app does not use OAuth 2.0. */
    client_id: text({ null: true }),
    /** `confidential`, `public` or `native`. */
    client_type: text({ null: true }),
    /** Null unless the client is confidential. */
    client_secret_sealed: text({ null: true }),
    /** Whether the app may use the endpoints under `/2/`. */
    enrolled: flag({ default: 1 }),
    /** Whether the app may open the streams of enterprise plans. */
    enterprise: flag(),
  },
  {
    key: ['id'],
    indexes: {
      apps_by_owner: ['owner_user_id', 'id'],
      apps_by_client: { on: ['client_id'], unique: true },
    },
  },
)

export const appCallbacks = table(
  'app_callbacks',
  {
    app_id: text({ belongsTo: apps }),
    url: text(),
  },
  {
    key: ['app_id', 'url'],
  },
)

export type AppRow = RowOf<typeof apps>
