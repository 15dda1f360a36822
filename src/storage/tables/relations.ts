import { bigint, table, text } from '../table.ts'
import { users } from './identity.ts'

/** How one user relates to another. */
export const relations = table(
  'relations',
  {
    source_id: text({ belongsTo: users }),
    target_id: text({ belongsTo: users }),
    /** `follow`, `request` (of a follow that the target has to accept), `block` or `mute`. */
    kind: text(),
    created_at: bigint(),
  },
  {
    key: ['source_id', 'target_id', 'kind'],
    indexes: {
      relations_by_source: ['source_id', 'kind', 'created_at', 'target_id'],
      relations_by_target: ['target_id', 'kind', 'created_at', 'source_id'],
    },
  },
)
