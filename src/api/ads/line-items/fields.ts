import { Type } from 'typebox'
import { placements, productTypes } from '../../../domain/reference-data/placements.ts'
import {
  base36,
  choice,
  component,
  instant,
  integerChoice,
  long,
  micros,
  text,
} from '../../../platform/http/schema.ts'
import { budgets, entityStatus } from '../campaigns/fields.ts'
import { type EntityItem, optional, removable } from '../entity/fields.ts'
import { servabilityFields } from '../servability/fields.ts'
import { GOALS, OBJECTIVES, PAID_BY, PAY_BY, STRATEGIES } from './values.ts'

export const fields = {
  campaign_id: { schema: base36('The campaign that it belongs to.'), create: 'required' },
  funding_instrument_id: { schema: base36('Funding instrument of the campaign.') },
  currency: { schema: text(3, 3, 'Currency of the funding instrument.') },
  name: { schema: text(1, 255, 'Human-readable name.'), ...removable },
  objective: { schema: choice([...OBJECTIVES], 'Objective.', 'Objective'), create: 'required' },
  product_type: {
    schema: choice([...productTypes], 'Type of product that it promotes.', 'ProductType'),
    create: 'required',
  },
  placements: {
    schema: Type.Array(component('Placement', Type.Enum([...placements])), {
      minItems: 1,
      uniqueItems: true,
      description: 'Placements where it is shown.',
    }),
    create: 'required',
  },
  start_time: { schema: instant('When it begins; immediately by default.'), ...removable },
  end_time: { schema: instant('When it ends; never by default.'), ...removable },
  goal: {
    schema: choice([...GOALS], 'Goal that bids are optimized for.', 'Goal'),
    create: 'optional',
    // The list of the interface. A new line item may have one more goal.
    update: choice(
      [...GOALS].filter((goal) => goal !== 'SITE_VISITS') as [...typeof GOALS],
      'Goal that bids are optimized for.',
      'ChangedGoal',
    ),
  },
  bid_strategy: { schema: choice([...STRATEGIES], 'Bidding strategy.', 'BidStrategy'), ...optional },
  bid_amount_local_micro: { schema: micros('Amount of the bid. Not allowed with AUTO.'), ...removable },
  pay_by: {
    schema: choice([...PAID_BY], 'Event that is charged for.'),
    input: choice([...PAY_BY], 'Event that is charged for.', 'PayBy'),
    ...optional,
  },
  ...budgets,
  standard_delivery: {
    schema: Type.Boolean({
      description: '`true` delivers evenly over the day, `false` as fast as possible.',
    }),
    ...removable,
  },
  entity_status: entityStatus,
  frequency_cap: {
    schema: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Maximum number of times that one person sees it.',
    }),
    ...removable,
  },
  duration_in_days: {
    schema: integerChoice([1, 7, 30], 'Window of the frequency cap, in days.', 'FrequencyWindow'),
    ...removable,
  },
  categories: {
    schema: Type.Array(Type.String({ pattern: '^IAB[0-9]{1,2}(-[0-9]{1,2})?$' }), {
      uniqueItems: true,
      maxItems: 400,
      description: 'IAB categories of the advertiser.',
    }),
    ...optional,
  },
  advertiser_domain: { schema: text(1, 253, 'Domain of the advertiser, without protocol.'), ...removable },
  advertiser_user_id: { schema: long('User on whose behalf it is shown.'), ...removable },
  android_app_store_identifier: {
    schema: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$',
      maxLength: 255,
      description: 'Package name of the app.',
    }),
    ...removable,
  },
  ios_app_store_identifier: {
    schema: Type.String({ pattern: '^[0-9]{1,15}$', description: 'Numeric part of the store identifier.' }),
    ...removable,
  },
  primary_web_event_tag: {
    schema: base36('Web event tag that counts its conversions.'),
    column: { type: 'text' },
    ...removable,
  },
  audience_expansion: {
    schema: choice(
      ['BROAD', 'DEFINED', 'EXPANDED'],
      'How far delivery may expand beyond the targeting.',
      'AudienceExpansion',
    ),
    ...removable,
    unshown: true,
  },
  target_cpa_local_micro: { schema: micros('Unused.'), null: true },
  automatic_post_promotion: { schema: Type.Boolean({ description: 'Unused.' }), null: true },
  creative_source: {
    schema: choice(
      ['MANUAL', 'DYNAMIC_PRODUCT_CREATIVE'],
      'Source of its creatives: the advertiser, or a product set.',
      'CreativeSource',
    ),
    ...optional,
  },
  catalog_id: { schema: long('Product catalog of `product_set_id`.'), ...removable, sparse: true },
  product_set_id: {
    schema: long('Products that are shown with creative_source DYNAMIC_PRODUCT_CREATIVE.'),
    ...removable,
    sparse: true,
  },
  ...servabilityFields,
} as const

export type LineItem = EntityItem<typeof fields>
