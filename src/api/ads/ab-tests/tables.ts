import { bytewise, table } from '../../../platform/storage/table.ts'

/**
 * The campaigns and line items of A/B tests that are not deleted: each belongs to one. Derived from
 * the user groups of the tests.
 */
export const abTestEntities = table(
  'ab_test_entities',
  {
    account_id: bytewise(),
    /** The campaign or line item. */
    entity_id: bytewise(),
    ab_test_id: bytewise(),
  },
  {
    key: ['account_id', 'entity_id'],
    indexes: { ab_test_entities_by_test: ['account_id', 'ab_test_id'] },
  },
)
