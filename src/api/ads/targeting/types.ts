import { appStoreCategoryByValue } from '../../../domain/reference-data/app-store-categories.ts'
import { conversationByValue } from '../../../domain/reference-data/conversations.ts'
import { deviceByValue } from '../../../domain/reference-data/devices.ts'
import { eventByValue } from '../../../domain/reference-data/events.ts'
import { iabCategoryById } from '../../../domain/reference-data/iab-categories.ts'
import { interestByValue } from '../../../domain/reference-data/interests.ts'
import { languageByValue } from '../../../domain/reference-data/languages.ts'
import { networkOperatorByValue } from '../../../domain/reference-data/network-operators.ts'
import { platformVersionByValue } from '../../../domain/reference-data/platform-versions.ts'
import { platformByValue } from '../../../domain/reference-data/platforms.ts'
import { tvShowByValue } from '../../../domain/reference-data/tv-shows.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import type { Operator, TargetingType } from './names.ts'
import {
  appList,
  audience,
  broadcast,
  campaign,
  fullUser,
  keyword,
  named,
  option,
  place,
  promotableUser,
  publisher,
  quantity,
  type Target,
  user,
  type ValueContext,
} from './values.ts'

/** One type of targeting, as a row of the reference's table. */
export interface TargetingTypeRow {
  /** The target of a value, or its error. */
  value(value: string, context: ValueContext): Target | AdsError | Promise<Target | AdsError>
  operators: readonly Operator[]
  /** Other spellings of values, which are stored as these. */
  spellings?: ReadonlyMap<string, string>
  /** Maximum number per line item, of all types with the same `counted` together. */
  most?: number
  counted?: string
  /** Primary types are combined with OR; every other type narrows the result. */
  primary?: true
  batchOnly?: true
  /** Other types of which the line item must also target at least one. */
  needs?: readonly string[]
  /** The objective that the line item must have. */
  objective?: string
}

const EQ = ['EQ'] as const
const EQ_NE = ['EQ', 'NE'] as const

const ages = {
  AGE_13_TO_24: 'Ages 13 to 24',
  AGE_13_TO_34: 'Ages 13 to 34',
  AGE_13_TO_49: 'Ages 13 to 49',
  AGE_13_TO_54: 'Ages 13 to 54',
  AGE_OVER_13: 'Ages 13 and over',
  AGE_18_TO_34: 'Ages 18 to 34',
  AGE_18_TO_49: 'Ages 18 to 49',
  AGE_18_TO_54: 'Ages 18 to 54',
  AGE_OVER_18: 'Ages 18 and over',
  AGE_21_TO_34: 'Ages 21 to 34',
  AGE_21_TO_49: 'Ages 21 to 49',
  AGE_21_TO_54: 'Ages 21 to 54',
  AGE_OVER_21: 'Ages 21 and over',
  AGE_25_TO_49: 'Ages 25 to 49',
  AGE_25_TO_54: 'Ages 25 to 54',
  AGE_OVER_25: 'Ages 25 and over',
  AGE_35_TO_49: 'Ages 35 to 49',
  AGE_35_TO_54: 'Ages 35 to 54',
  AGE_OVER_35: 'Ages 35 and over',
  AGE_OVER_50: 'Ages 50 and over',
}

const engagements = {
  IMPRESSION: 'Impression',
  ENGAGEMENT: 'Engagement',
  VIDEO_VIEW: 'Video view',
  VIDEO_VIEW_PARTIAL: 'Partial video view',
  VIDEO_VIEW_COMPLETE: 'Complete video view',
}

const keywords = {
  value: keyword,
  operators: EQ_NE,
  most: 1000,
  counted: 'keywords',
  primary: true,
} as const satisfies TargetingTypeRow

const audiences = { value: audience, operators: EQ_NE, primary: true } as const satisfies TargetingTypeRow

const ofEngagement = { operators: EQ_NE, needs: ['ENGAGEMENT_TYPE'] } as const
const appStoreCategory = { value: option(appStoreCategoryByValue), operators: EQ }

/** Every type of targeting. */
export const targetingTypes: Readonly<Record<TargetingType, TargetingTypeRow>> = {
  AGE: { value: named(ages), operators: EQ, most: 1 },
  GENDER: {
    value: named({ 1: 'Male', 2: 'Female' }),
    operators: EQ,
    spellings: new Map([
      ['MALE', '1'],
      ['FEMALE', '2'],
    ]),
  },
  LANGUAGE: { value: option(languageByValue), operators: EQ },
  LOCATION: { value: place, operators: EQ_NE, most: 2000 },
  INTEREST: { value: option(interestByValue), operators: EQ, most: 100, primary: true },
  SIMILAR_TO_FOLLOWERS_OF_USER: { value: user, operators: EQ, most: 100, primary: true },
  FOLLOWERS_OF_USER: { value: fullUser, operators: EQ, primary: true },
  BROAD_KEYWORD: keywords,
  EXACT_KEYWORD: keywords,
  PHRASE_KEYWORD: keywords,
  UNORDERED_KEYWORD: keywords,
  EVENT: { value: option(eventByValue), operators: EQ, most: 1 },
  CONVERSATION: { value: option(conversationByValue), operators: EQ },
  TV_SHOW: { value: option(tvShowByValue), operators: EQ, primary: true },
  LIVE_TV_EVENT: { value: broadcast, operators: EQ, primary: true },
  DEVICE: { value: option(deviceByValue), operators: EQ },
  PLATFORM: { value: option(platformByValue), operators: EQ },
  PLATFORM_VERSION: { value: option(platformVersionByValue), operators: EQ },
  NETWORK_OPERATOR: { value: option(networkOperatorByValue), operators: EQ },
  NETWORK_ACTIVATION_DURATION: { value: quantity, operators: ['LT', 'GTE'] },
  WIFI_ONLY: { value: named({ 1: 'Wi-Fi only' }), operators: EQ },
  CUSTOM_AUDIENCE: audiences,
  CUSTOM_AUDIENCE_EXPANDED: audiences,
  CAMPAIGN_ENGAGEMENT: { value: campaign, ...ofEngagement },
  CAMPAIGN_ENGAGEMENT_LOOKALIKE: { value: campaign, ...ofEngagement },
  USER_ENGAGEMENT: { value: promotableUser, ...ofEngagement },
  USER_ENGAGEMENT_LOOKALIKE: { value: promotableUser, ...ofEngagement },
  ENGAGEMENT_TYPE: {
    value: named(engagements),
    operators: EQ,
    needs: [
      'CAMPAIGN_ENGAGEMENT',
      'CAMPAIGN_ENGAGEMENT_LOOKALIKE',
      'USER_ENGAGEMENT',
      'USER_ENGAGEMENT_LOOKALIKE',
    ],
  },
  APP_STORE_CATEGORY: appStoreCategory,
  APP_STORE_CATEGORY_LOOKALIKE: appStoreCategory,
  APP_LIST: { value: appList, operators: ['NE'] },
  IAB_CATEGORY: {
    value: option(iabCategoryById),
    operators: EQ,
    batchOnly: true,
    objective: 'PREROLL_VIEWS',
  },
  // The maximum depends on the categories of the line item: see the rules.
  CONTENT_PUBLISHER_USER: { value: publisher, operators: ['NE'], batchOnly: true },
}

const USER_READERS: ReadonlySet<unknown> = new Set([fullUser, promotableUser, user])

/** Whether the values of a type are ids of users. */
export const isUserType = (type: TargetingType | undefined): boolean =>
  type !== undefined && USER_READERS.has(targetingTypes[type].value)

const OWN_READERS: ReadonlySet<unknown> = new Set([appList, audience, campaign])

/** Whether the values of a type are ids of other entities of the account. */
export const isEntityType = (type: TargetingType): boolean => OWN_READERS.has(targetingTypes[type].value)
