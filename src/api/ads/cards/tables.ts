import { bigint, bytewise, flag, integer, table, text } from '../../../platform/storage/table.ts'

/** A card made of components. Polls and conversations have separate tables. */
export const cards = table(
  'cards',
  {
    account_id: bytewise(),
    id: bytewise(),
    visibility: integer(),
    created_at: bigint(),
    updated_at: bigint(),
    deleted: flag(),
    name: text(),
    /** The name in lower case, for searches. */
    name_key: bytewise(),
    card_type: text(),
    /** A JSON list; either these or slides. */
    components: text({ null: true }),
    /** A JSON list of lists of components. */
    slides: text({ null: true }),
  },
  {
    key: ['account_id', 'id'],
    indexes: {
      cards_by_age: ['account_id', 'visibility', 'id'],
      cards_by_update: ['account_id', 'visibility', 'updated_at', 'id'],
      cards_by_name_key: ['account_id', 'visibility', 'name_key', 'id'],
      cards_by_card_type: ['account_id', 'card_type', 'visibility', 'id'],
    },
  },
)
