import { bigint, type RowOf, table, text } from '../../platform/storage/table.ts'
import { users } from '../users/tables.ts'

/** A relation of one user to another. */
export const relations = table(
  'relations',
  {
    source_id: text({ belongsTo: users }),
    target_id: text({ belongsTo: users }),
    /**
     * `follow`, `request` (for a follow that the target must accept), `block`, `mute`, or
     * `dm_block` (of direct messages alone).
     */
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

export type RelationRow = RowOf<typeof relations>
