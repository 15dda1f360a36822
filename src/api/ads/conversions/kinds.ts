import { METRICS_OF } from '../stats/metrics.ts'

/** The metric of each type of web event tag, after its prefix. */
const WEB_TYPES: Readonly<Record<string, string>> = {
  ADDED_PAYMENT_INFO: 'payment_info_additions',
  ADD_TO_CART: 'add_to_carts',
  ADD_TO_WISHLIST: 'add_to_wishlists',
  CHECKOUT_INITIATED: 'checkouts_initiated',
  CONTENT_VIEW: 'content_views',
  CUSTOM: 'custom',
  DOWNLOAD: 'downloads',
  PRODUCT_CUSTOMIZATION: 'custom',
  PURCHASE: 'purchases',
  SEARCH: 'searches',
  SIGN_UP: 'sign_ups',
  SITE_VISIT: 'site_visits',
  START_TRIAL: 'custom',
  SUBSCRIBE: 'subscriptions',
}

/** The same for events in apps. */
const APP_TYPES: Readonly<Record<string, string>> = {
  ACHIEVEMENT_UNLOCKED: 'achievements_unlocked',
  ADDED_PAYMENT_INFO: 'payment_info_additions',
  ADD_TO_CART: 'add_to_carts',
  ADD_TO_WISHLIST: 'add_to_wishlists',
  CHECKOUT_INITIATED: 'checkouts_initiated',
  CONTENT_VIEW: 'content_views',
  INSTALL: 'installs',
  INVITE: 'invites',
  LEVEL_ACHIEVED: 'levels_achieved',
  LOGIN: 'logins',
  PURCHASE: 'purchases',
  RATED: 'rates',
  RESERVATION: 'reservations',
  RE_ENGAGE: 're_engages',
  SEARCH: 'searches',
  SHARE: 'shares',
  SIGN_UP: 'sign_ups',
  SPENT_CREDITS: 'spent_credits',
  TUTORIAL_COMPLETE: 'tutorials_completed',
  UPDATE: 'updates',
}

/**
 * What conversions are counted as: those on websites, those in apps, and what people who installed
 * an app because of an advertisement did there afterwards.
 */
export const CONVERSION_KINDS = {
  web: { group: 'WEB_CONVERSION', prefix: 'conversion', types: WEB_TYPES },
  app: { group: 'MOBILE_CONVERSION', prefix: 'mobile_conversion', types: APP_TYPES },
  lifetime: {
    group: 'LIFE_TIME_VALUE_MOBILE_CONVERSION',
    prefix: 'mobile_conversion_lifetime_value',
    types: APP_TYPES,
  },
} as const

export type ConversionKind = keyof typeof CONVERSION_KINDS

export const KINDS = Object.keys(CONVERSION_KINDS) as ConversionKind[]

/** The metric that counts a type of conversion; undefined if there is none. */
export function metricOf(kind: ConversionKind, type: string): string | undefined {
  const { group, prefix, types } = CONVERSION_KINDS[kind]
  const name = `${prefix}_${types[type]}`
  return METRICS_OF[group].includes(name) ? name : undefined
}
