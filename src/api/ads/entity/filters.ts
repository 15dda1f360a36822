import { withArticle } from '../../../platform/common/article.ts'
import { base36, ids } from '../../../platform/http/schema.ts'

// The list parameters that most entities have: `line_item_ids` of line items, and of what belongs
// to them.

const idsOf = (one: string, description: string) => ids(base36(`${sentence(withArticle(one))}.`), description)

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The ids of the items themselves. */
export const byIds = (one: string) => ({
  column: 'id',
  schema: idsOf(one, 'Returns only the items with these ids.'),
})

/** The ids of what the items belong to, in the column of its name. */
export const byParents = (one: string, description = 'Returns only the items that belong to these.') => ({
  column: `${one.replaceAll(' ', '_')}_id`,
  schema: idsOf(one, description),
})
