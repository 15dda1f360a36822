import { type Static, type TProperties, Type } from 'typebox'
import { UNNAMED } from '../../../api/admin/seed/unnamed.ts'
import { APPROVAL_STATUSES, MAX_ACCOUNT_NAME, MAX_BUSINESS_TEXT } from '../../../api/ads/accounts/account.ts'
import { FEATURES } from '../../../api/ads/accounts/feature-keys.ts'
import { AUDIENCE_TYPES } from '../../../api/ads/audiences/custom-audience-fields.ts'
import { fields as campaignFields } from '../../../api/ads/campaigns/fields.ts'
import type { EntityInput, Fields } from '../../../api/ads/entity/fields.ts'
import { settable } from '../../../api/ads/entity/types.ts'
import { FUNDING_TYPES } from '../../../api/ads/funding-instruments/fields.ts'
import { fields as lineItemFields } from '../../../api/ads/line-items/fields.ts'
import { ROLES } from '../../../api/ads/scope.ts'
import { fields as criterionFields } from '../../../api/ads/targeting/fields.ts'
import { TARGETING_TYPES } from '../../../api/ads/targeting/names.ts'
import { choice, choices, micros, raw, text } from '../../../platform/http/schema.ts'

const closed = { additionalProperties: false }
const optional = Type.Optional

/** A name within the file. */
const label = (description: string) => text(1, 100, description)
const time = (what: string) =>
  text(
    1,
    100,
    `${what}: RFC 3339, or a distance from the first start such as \`-2h\` or \`+30d\`. Seconds are the smallest unit.`,
  )
const createdAt = optional(
  text(
    1,
    100,
    'When it was created: RFC 3339, or a distance from the first start such as `-2h`. The first start by default; never later.',
  ),
)

const Access = Type.Object(
  {
    user: text(1, 15, 'Screen name.'),
    roles: choices([...ROLES], 'Permissions of the user in the account.'),
  },
  closed,
)

const Funding = Type.Object(
  {
    id: optional(label('A name for this account, by which campaigns refer to it.')),
    currency: text(3, 3, 'ISO 4217 code.'),
    type: choice([...FUNDING_TYPES], 'Type of funding.'),
    credit_limit_local_micro: optional(micros('Limit of a credit line or card.')),
    funded_amount_local_micro: optional(micros('Funded amount of an insertion order.')),
    start_time: optional(time('When it becomes valid; the first start by default')),
    end_time: optional(time('When it expires; never by default')),
  },
  closed,
)

/**
 * The members that a new entity has in the advertising API, without those that a seed writes in its
 * own way.
 */
const membersOf = (fields: Fields, without: readonly string[]): TProperties =>
  Object.fromEntries(
    settable(fields, 'create').flatMap(([name, { create, input, schema }]) =>
      without.includes(name)
        ? []
        : [[name, create === 'required' ? (input ?? schema) : optional(input ?? schema)]],
    ),
  )

const Criterion = Type.Unsafe<Omit<EntityInput<typeof criterionFields>, 'line_item_id'>>(
  Type.Object(
    {
      ...membersOf(criterionFields, ['line_item_id']),
      targeting_type: choice(TARGETING_TYPES, 'Type of targeting.'),
      targeting_value: text(
        1,
        255,
        'The id of a targeting option, or a keyword. For types that target users, `@` and a screen name.',
      ),
    },
    closed,
  ),
)

const LINE_ITEM = Type.Object({
  created_at: createdAt,
  start_time: optional(time('When it begins; immediately by default')),
  end_time: optional(time('When it ends; never by default')),
  targeting: optional(Type.Array(Criterion, { maxItems: 2000, description: 'Who sees it.' })),
  promoted_posts: optional(
    Type.Array(label('The `id` of a post that it shows.'), { maxItems: 1000, uniqueItems: true }),
  ),
})

export type SeedLineItem = Omit<
  EntityInput<typeof lineItemFields>,
  'campaign_id' | (typeof UNNAMED)[number] | keyof typeof LINE_ITEM.properties
> &
  Static<typeof LINE_ITEM>

const SeedLineItem = Type.Unsafe<SeedLineItem>(
  Type.Object(
    {
      ...membersOf(lineItemFields, ['campaign_id', ...UNNAMED]),
      ...LINE_ITEM.properties,
    },
    closed,
  ),
)

const CAMPAIGN = Type.Object({
  created_at: createdAt,
  funding: optional(label('The `id` of a funding instrument of the account; its first one by default.')),
  line_items: optional(Type.Array(SeedLineItem, { maxItems: 100 })),
})

export type SeedCampaign = Omit<
  EntityInput<typeof campaignFields>,
  'funding_instrument_id' | keyof typeof CAMPAIGN.properties
> &
  Static<typeof CAMPAIGN>

const SeedCampaign = Type.Unsafe<SeedCampaign>(
  Type.Object({ ...membersOf(campaignFields, ['funding_instrument_id']), ...CAMPAIGN.properties }, closed),
)

/**
 * Without its members, which are hashes of personal data. Nothing targets it then: it is too small.
 */
const Audience = Type.Object(
  {
    name: text(1, 255, 'Human-readable name, unique in the account in any case.'),
    description: optional(text(1, 255, 'Description.')),
    created_at: createdAt,
    audience_type: optional(choice([...AUDIENCE_TYPES], '`CRM` when absent.')),
    segments: optional(
      raw(
        Type.Object(
          {},
          {
            description:
              'What an audience of another type combines, as in the advertising API. `custom_audience_id` is the name of an audience before it in the account.',
          },
        ),
      ),
    ),
  },
  closed,
)

export type SeedAudience = Static<typeof Audience>

/** An advertising account of a seed. */
export const SeedAccount = Type.Object(
  {
    name: text(1, MAX_ACCOUNT_NAME, 'Human-readable name.'),
    owner: text(1, 15, 'Screen name of the advertiser: its administrator, and whom it promotes.'),
    environment: choice(['production', 'sandbox'], 'Where it is.'),
    timezone: optional(text(1, 100, 'IANA name.')),
    approval_status: optional(choice([...APPROVAL_STATUSES], 'ACCEPTED when absent.')),
    business_name: optional(text(1, MAX_BUSINESS_TEXT, 'Name of the business that it belongs to.')),
    business_id: optional(text(1, MAX_BUSINESS_TEXT, 'Of that business.')),
    users: optional(Type.Array(Access, { maxItems: 1000 })),
    features: optional(choices([...FEATURES], 'In addition to those that every account has.')),
    funding: optional(Type.Array(Funding, { maxItems: 100 })),
    audiences: optional(
      Type.Array(Audience, { maxItems: 1000, description: 'Custom audiences, which have no members yet.' }),
    ),
    campaigns: optional(Type.Array(SeedCampaign, { maxItems: 1000 })),
  },
  closed,
)

export type SeedAccount = Static<typeof SeedAccount>

/** Parts with names. */
export const ADVERTISING_PARTS = {
  SeedAccount,
  SeedAccess: Access,
  SeedFunding: Funding,
  SeedAudience: Audience,
  SeedCampaign,
  SeedLineItem,
  SeedCriterion: Criterion,
}
