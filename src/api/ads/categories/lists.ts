import { Type } from 'typebox'
import { biddingRuleByCurrency, biddingRules } from '../../../domain/reference-data/bidding-rules.ts'
import { businessCategories } from '../../../domain/reference-data/business-categories.ts'
import { contentCategories } from '../../../domain/reference-data/content-categories.ts'
import {
  type CuratedCategory,
  curatedCategories,
  curatedCategoryById,
} from '../../../domain/reference-data/curated-categories.ts'
import { iabCategories } from '../../../domain/reference-data/iab-categories.ts'
import { placementOptions, placements, productTypes } from '../../../domain/reference-data/placements.ts'
import { publishers } from '../../../domain/reference-data/publishers.ts'
import { countryCodes } from '../../../platform/common/countries.ts'
import { once } from '../../../platform/common/lookup.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, choices, closedComponent, component, nullable } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { pageOf, SearchableList } from '../constant-list.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { exclusive, paging, withTotalCount } from '../entity/list.ts'
import { noCategory } from './line-item-curated-categories.ts'
import { curatedCategoryId } from './line-item-curated-category-fields.ts'

const SOURCE = 'Campaign management'
const REFERENCE = 'Campaign management (reference: categories and publishers)'

const name = Type.String({ description: 'Human-readable name.' })
const iab = Type.Array(Type.String(), { description: 'IAB categories that it contains.' })
const codes = (description: string) => Type.Array(Type.String(), { description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const BusinessCategory = closedComponent('BusinessCategory', { id: Type.String(), name, iab_categories: iab })

export const listAdvertiserBusinessCategories = adsEndpoint({
  id: 'listAdvertiserBusinessCategories',
  method: 'GET',
  path: '/advertiser_business_categories',
  summary: 'List business categories of advertisers',
  description: 'A line item with objective PREROLL_VIEWS carries one or two of them as its `categories`.',
  source: SOURCE,
  limits: LIMITS.global,
  data: Type.Array(BusinessCategory),
  beside: ['cursor'],
  handle: async () => ({ data: businessCategories(), next_cursor: null }),
})

const ContentCategory = closedComponent('ContentCategory', {
  id: Type.String(),
  name,
  iab_categories: iab,
  publishers_in_last_thirty_days: count('Number of publishers.'),
  videos_monetized_in_last_thirty_days: count('Number of videos.'),
})

export const listContentCategories = adsEndpoint({
  id: 'listContentCategories',
  method: 'GET',
  path: '/content_categories',
  summary: 'List content categories',
  description:
    'Returns the content categories. To target one, create criteria for all of its IAB categories in one batch.',
  source: REFERENCE,
  limits: LIMITS.global,
  data: Type.Array(ContentCategory),
  beside: ['cursor', 'total'],
  async handle() {
    const data = contentCategories()
    return { data: data, next_cursor: null, total_count: data.length }
  },
})

const Curated = closedComponent('CuratedCategory', {
  id: Type.String(),
  name,
  description: Type.String(),
  country_codes: codes('Countries where it is available.'),
  publisher_user_ids: codes('Publishers whose videos are in it.'),
  videos_monetized_in_last_thirty_days: count('Number of videos.'),
  created_at: Type.String({ format: 'date-time', description: 'When it was created.' }),
  updated_at: Type.String({ format: 'date-time', description: 'When it was last updated.' }),
})

export const listCuratedCategories = adsEndpoint({
  id: 'listCuratedCategories',
  method: 'GET',
  path: '/accounts/{account_id}/curated_categories',
  summary: 'List curated categories',
  description: 'Returns groups of publishers, each with the countries where it is available.',
  source: SOURCE,
  right: 'read',
  query: {
    country_codes: Type.Optional(
      choices(
        [...countryCodes],
        'Returns only categories that are available in one of these countries.',
        'CountryCode',
      ),
    ),
    ...paging(),
  },
  data: Type.Array(Curated),
  beside: ['cursor', 'total'],
  async handle({ scope, query }, context) {
    const { country_codes: countries, count: size = 0, cursor } = query
    const found = curatedCategories().filter(
      (category) => !countries || category.country_codes.some((code) => countries.includes(code)),
    )
    const list = ['curated_categories', scope.accountId, countries ?? null]
    const { page, next_cursor } = pageOf(byName(found), list, { count: size, cursor }, context)
    return { data: page, next_cursor, total_count: found.length }
  },
})

const byName = (found: readonly CuratedCategory[]) => new SearchableList(found, (category) => category.name)

export const getCuratedCategory = adsEndpoint({
  id: 'getCuratedCategory',
  method: 'GET',
  path: '/accounts/{account_id}/curated_categories/{curated_category_id}',
  summary: 'Get a curated category',
  description: 'Returns one group of publishers.',
  source: SOURCE,
  right: 'read',
  params: { curated_category_id: curatedCategoryId },
  codes: ['NOT_FOUND'],
  data: Curated,
  async handle({ params }) {
    const found = curatedCategoryById(params.curated_category_id)
    if (!found) throw adsApiError(noCategory(params.curated_category_id))
    return { data: found }
  },
})

const IabCategory = closedComponent('IabCategory', {
  id: Type.String(),
  parent_id: nullable(Type.String({ description: 'Id of the parent; null for a top category.' })),
  name,
})

const allIabCategories = once(() => new SearchableList(iabCategories(), (category) => category.name))

export const listIabCategories = adsEndpoint({
  id: 'listIabCategories',
  method: 'GET',
  path: '/iab_categories',
  summary: 'List IAB categories',
  description: 'Returns the content taxonomy: each top-level category, followed by its subcategories.',
  source: REFERENCE,
  limits: LIMITS.global,
  query: { ...paging(), with_total_count: withTotalCount },
  codes: ['EXCLUSIVE_PARAMETERS'],
  data: Type.Array(IabCategory),
  beside: ['cursor', 'optional total'],
  async handle({ query }, context) {
    const { count: size = 0, cursor, with_total_count } = query
    if (with_total_count && cursor !== undefined) throw exclusive()
    const { page, next_cursor } = pageOf(
      allIabCategories(),
      ['iab_categories'],
      { count: size, cursor },
      context,
    )
    return {
      data: page,
      next_cursor,
      ...(with_total_count && { total_count: iabCategories().length }),
    }
  },
})

const Publisher = closedComponent('Publisher', {
  user_id: Type.String({ description: 'User id, for a CONTENT_PUBLISHER_USER criterion.' }),
  username: Type.String(),
  content_category_ids: codes('Content categories of its videos.'),
  monetizable_country_codes: codes('Countries where its videos carry advertisements.'),
  promotion_eligible_country_codes: codes('Countries where it can be selected.'),
  monetization_restricted: Type.Boolean({
    description: 'Whether only certain advertisers are admitted.',
  }),
})

export const listPublishers = adsEndpoint({
  id: 'listPublishers',
  method: 'GET',
  path: '/publishers',
  summary: 'List publishers',
  description: 'Returns all publishers whose videos carry advertisements, without paging.',
  source: REFERENCE,
  limits: LIMITS.global,
  data: Type.Array(Publisher),
  beside: ['cursor'],
  handle: async () => ({ data: publishers(), next_cursor: null }),
})

const productType = choice([...productTypes], 'Type of product that a line item promotes.', 'ProductType')

const Placements = closedComponent('ProductPlacements', {
  product_type: productType,
  placements: Type.Array(Type.Array(component('Placement', Type.Enum([...placements]))), {
    description: 'Allowed combinations.',
  }),
})

export const listPlacements = adsEndpoint({
  id: 'listPlacements',
  method: 'GET',
  path: '/line_items/placements',
  summary: 'List placements',
  description: 'Returns the placements that a line item may combine, for each type of product.',
  source: 'Campaign management (reference: placements)',
  limits: LIMITS.global,
  query: { product_type: Type.Optional(productType) },
  data: Type.Array(Placements),
  async handle({ query }) {
    const { product_type: productType } = query
    return {
      data: placementOptions.filter((option) => !productType || option.product_type === productType),
    }
  },
})

const BiddingRule = closedComponent('BiddingRule', {
  currency: Type.String({ description: 'ISO 4217.' }),
  minimum_cpe_bid_local_micro: Type.Integer({ description: 'Minimum bid.' }),
  maximum_cpe_bid_local_micro: Type.Integer({ description: 'Maximum bid.' }),
  minimum_denomination: Type.Integer({ description: 'Every amount must be a multiple of this value.' }),
})

export const listBiddingRules = adsEndpoint({
  id: 'listBiddingRules',
  method: 'GET',
  path: '/bidding_rules',
  summary: 'List bidding rules',
  description: 'Returns the amounts that a currency allows.',
  source: 'Campaign management (reference: bidding rules)',
  limits: LIMITS.global,
  query: {
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217: only this one.' })),
  },
  data: Type.Array(BiddingRule),
  beside: ['total', 'type'],
  async handle({ query: { currency } }) {
    const found = currency === undefined ? biddingRules() : [ruleOf(currency)]
    return { data: found, data_type: 'bidding_rule', total_count: found.length }
  },
})

function ruleOf(currency: string) {
  const rule = biddingRuleByCurrency(currency)
  if (rule) return rule
  throw rejected('currency', msg`Expected an ISO 4217 currency, got "${currency}" for currency`)
}
