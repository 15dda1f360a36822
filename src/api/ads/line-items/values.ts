import type { ProductType } from '../../../domain/reference-data/placements.ts'

/** Words of line items (interface, Line item update parameters). */
export const OBJECTIVES = [
  'APP_ENGAGEMENTS',
  'APP_INSTALLS',
  'REACH',
  'FOLLOWERS',
  'ENGAGEMENTS',
  'VIDEO_VIEWS',
  'PREROLL_VIEWS',
  'WEBSITE_CLICKS',
] as const

export type Objective = (typeof OBJECTIVES)[number]

/** `SITE_VISITS` can be chosen for a new line item only. */
export const GOALS = [
  'APP_CLICKS',
  'APP_INSTALLS',
  'APP_PURCHASES',
  'ENGAGEMENT',
  'FOLLOWERS',
  'LINK_CLICKS',
  'MAX_REACH',
  'PREROLL',
  'PREROLL_STARTS',
  'REACH_WITH_ENGAGEMENT',
  'SITE_VISITS',
  'VIDEO_VIEW',
  'VIEW_3S_100PCT',
  'VIEW_6S',
  'VIEW_15S',
  'WEBSITE_CONVERSIONS',
] as const

export type Goal = (typeof GOALS)[number]

export const STRATEGIES = ['AUTO', 'MAX', 'TARGET'] as const

/** The values of `pay_by` that callers may choose. */
export const PAY_BY = ['APP_CLICK', 'IMPRESSION', 'LINK_CLICK'] as const

/** All values of `pay_by`. The others follow from the objective. */
export const PAID_BY = [...PAY_BY, 'ENGAGEMENT', 'FOLLOW', 'VIEW', 'VIEW_3S_100PCT'] as const

type PayBy = (typeof PAID_BY)[number]

interface ObjectiveOptions {
  /** The default comes first. */
  goals: readonly [Goal, ...Goal[]]
  productTypes: readonly ProductType[]
  /** Whether a bid makes the strategy `MAX`; otherwise it is `AUTO`. */
  maxWithBid: boolean
}

/** Images and videos of the publisher network, which promote no post. */
const WITH_MEDIA = ['PROMOTED_POSTS', 'MEDIA'] as const

/** What fits each objective (reference: goal, pay_by, charge). */
const OBJECTIVE_OPTIONS: Readonly<Record<Objective, ObjectiveOptions>> = {
  ENGAGEMENTS: { goals: ['ENGAGEMENT'], productTypes: WITH_MEDIA, maxWithBid: true },
  FOLLOWERS: {
    goals: ['FOLLOWERS'],
    productTypes: ['PROMOTED_ACCOUNT', 'PROMOTED_POSTS'],
    maxWithBid: false,
  },
  REACH: { goals: ['MAX_REACH', 'REACH_WITH_ENGAGEMENT'], productTypes: WITH_MEDIA, maxWithBid: false },
  VIDEO_VIEWS: {
    goals: ['VIDEO_VIEW', 'VIEW_3S_100PCT', 'VIEW_6S', 'VIEW_15S'],
    productTypes: WITH_MEDIA,
    maxWithBid: true,
  },
  PREROLL_VIEWS: {
    goals: ['PREROLL', 'PREROLL_STARTS', 'VIEW_3S_100PCT', 'VIEW_6S'],
    productTypes: WITH_MEDIA,
    maxWithBid: true,
  },
  WEBSITE_CLICKS: {
    goals: ['LINK_CLICKS', 'SITE_VISITS', 'WEBSITE_CONVERSIONS'],
    productTypes: WITH_MEDIA,
    maxWithBid: true,
  },
  APP_INSTALLS: {
    goals: ['APP_INSTALLS', 'APP_CLICKS', 'APP_PURCHASES'],
    productTypes: WITH_MEDIA,
    maxWithBid: true,
  },
  APP_ENGAGEMENTS: { goals: ['APP_CLICKS', 'APP_INSTALLS'], productTypes: WITH_MEDIA, maxWithBid: true },
}

/** What can be charged for with each goal. The default comes first. */
const PAY_BYS: Readonly<Record<Goal, readonly PayBy[]>> = {
  APP_CLICKS: ['APP_CLICK', 'IMPRESSION'],
  APP_INSTALLS: ['IMPRESSION', 'APP_CLICK'],
  APP_PURCHASES: ['IMPRESSION', 'APP_CLICK'],
  ENGAGEMENT: ['ENGAGEMENT'],
  FOLLOWERS: ['FOLLOW'],
  LINK_CLICKS: ['IMPRESSION', 'LINK_CLICK'],
  MAX_REACH: ['IMPRESSION'],
  PREROLL: ['VIEW_3S_100PCT'],
  PREROLL_STARTS: ['VIEW'],
  REACH_WITH_ENGAGEMENT: ['IMPRESSION'],
  SITE_VISITS: ['IMPRESSION'],
  VIDEO_VIEW: ['VIEW'],
  VIEW_3S_100PCT: ['VIEW_3S_100PCT'],
  VIEW_6S: ['VIEW'],
  VIEW_15S: ['IMPRESSION'],
  WEBSITE_CONVERSIONS: ['IMPRESSION', 'LINK_CLICK'],
}

/** The goals of an objective. The default comes first. */
export const goalsOf = (objective: Objective) => OBJECTIVE_OPTIONS[objective].goals

export const productTypesOf = (objective: Objective) => OBJECTIVE_OPTIONS[objective].productTypes

/** Whether a bid makes the strategy of a new line item `MAX`; otherwise it is `AUTO`. */
export const isMaxWithBid = (objective: Objective) => OBJECTIVE_OPTIONS[objective].maxWithBid

/**
 * What can be charged for. `TARGET` cannot be combined with impressions: line items that they would
 * be paid by are paid by link clicks. `SITE_VISITS` can only be paid by impressions.
 */
export function payBysOf(goal: Goal, strategy: string): readonly PayBy[] {
  const usual = PAY_BYS[goal]
  return strategy === 'TARGET' && goal !== 'SITE_VISITS' && usual.includes('IMPRESSION')
    ? ['LINK_CLICK']
    : usual
}

/** The default `pay_by` of a goal. */
export const defaultPayBy = (goal: Goal, strategy: string): PayBy =>
  payBysOf(goal, strategy)[0] ?? 'IMPRESSION'
