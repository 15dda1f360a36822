import { type TSchema, Type } from 'typebox'
import { withArticle } from '../../../platform/common/article.ts'
import { countryCodes } from '../../../platform/common/countries.ts'
import {
  base36,
  choice,
  closedComponent,
  ids,
  instant,
  nullable,
  standard,
} from '../../../platform/http/schema.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { exclusive, paging, sortBy, withTotalCount } from '../entity/list.ts'

// Targeting by behaviour ended, with all of its values: these lists are empty. Clients of that time
// still read them.

const SOURCE = 'Campaign management (reference: behaviors)'

const Behavior = closedComponent('Behavior', {
  id: base36('The behavior.'),
  name: Type.String({ description: 'Human-readable name.' }),
  targetable_types: Type.Array(Type.String(), { description: 'Uses of the behavior.' }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  partner_source: Type.String({ description: 'Where it comes from.' }),
  behavior_taxonomy_id: base36('Where it is in the taxonomy.'),
  audience_size: Type.Integer({ minimum: 0, description: 'Number of people.' }),
})

const Taxonomy = closedComponent('BehaviorTaxonomy', {
  id: base36('The entry.'),
  name: Type.String({ description: 'Human-readable name.' }),
  parent_id: nullable(base36('The entry that contains it.')),
  created_at: instant('When it was created.'),
  updated_at: instant('When it was last updated.'),
})

const idsOf = (item: string) =>
  Type.Optional(ids(base36(`Id of ${withArticle(item)}.`), 'Only the items with these ids.'))

interface RetiredList<Item extends TSchema> {
  id: string
  name: string
  many: string
  item: Item
  query: Record<string, TSchema>
}

const retired = <Item extends TSchema>({ id, name, many, item, query }: RetiredList<Item>) =>
  adsEndpoint({
    id,
    method: 'GET',
    path: `/targeting_criteria/${name}`,
    summary: `List ${many}`,
    description: `Returns an empty list: ${many} have ended, and no line item can be targeted by them.`,
    source: SOURCE,
    limits: LIMITS.targeting,
    query: {
      ...query,
      ...paging(),
      sort_by: sortBy(['created_at', 'updated_at']),
      with_total_count: withTotalCount,
    },
    codes: ['EXCLUSIVE_PARAMETERS'],
    data: Type.Array(item),
    beside: ['cursor', 'optional total'],
    async handle({ query: { with_total_count, cursor } }) {
      if (with_total_count && cursor !== undefined) throw exclusive()
      return { data: [], next_cursor: null, ...(with_total_count && { total_count: 0 }) }
    },
  })

export const listBehaviors = retired({
  id: 'listBehaviors',
  name: 'behaviors',
  many: 'behaviors',
  item: Behavior,
  query: {
    behavior_ids: idsOf('behavior'),
    country_code: Type.Optional(
      standard(choice([...countryCodes], 'ISO 3166-1 alpha-2 code.', 'CountryCode')),
    ),
  },
})

export const listBehaviorTaxonomies = retired({
  id: 'listBehaviorTaxonomies',
  name: 'behavior_taxonomies',
  many: 'behavior taxonomies',
  item: Taxonomy,
  query: {
    behavior_taxonomy_ids: idsOf('entry'),
    parent_behavior_taxonomy_ids: idsOf('parent entry'),
  },
})
