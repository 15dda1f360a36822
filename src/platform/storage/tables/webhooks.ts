import { bigint, flag, table, text } from '../table.ts'
import { apps } from './identity.ts'

export const webhooks = table(
  'webhooks',
  {
    id: text(),
    app_id: text({ belongsTo: apps }),
    url: text(),
    valid: flag(),
    created_at: bigint(),
    last_success_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      webhooks_url: { on: ['app_id', 'url'], unique: true },
      webhooks_list: ['app_id', 'id'],
    },
  },
)
