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

interface Defaults {
  goal: Goal
  payBy: (typeof PAID_BY)[number]
  /** Whether a bid makes the strategy `MAX`; otherwise it is `AUTO`. */
  maxWithBid: boolean
}

/** The defaults of a line item (reference: defaults by objective). */
export const DEFAULTS: Readonly<Record<Objective, Defaults>> = {
  ENGAGEMENTS: { goal: 'ENGAGEMENT', payBy: 'ENGAGEMENT', maxWithBid: true },
  FOLLOWERS: { goal: 'FOLLOWERS', payBy: 'FOLLOW', maxWithBid: false },
  REACH: { goal: 'MAX_REACH', payBy: 'IMPRESSION', maxWithBid: false },
  VIDEO_VIEWS: { goal: 'VIDEO_VIEW', payBy: 'VIEW', maxWithBid: true },
  PREROLL_VIEWS: { goal: 'PREROLL', payBy: 'VIEW_3S_100PCT', maxWithBid: true },
  WEBSITE_CLICKS: { goal: 'LINK_CLICKS', payBy: 'IMPRESSION', maxWithBid: true },
  APP_INSTALLS: { goal: 'APP_INSTALLS', payBy: 'IMPRESSION', maxWithBid: true },
  APP_ENGAGEMENTS: { goal: 'APP_CLICKS', payBy: 'APP_CLICK', maxWithBid: true },
}

/** Goals for which `IMPRESSION` is the default `pay_by` (interface, `pay_by`). */
const PAID_BY_IMPRESSION: readonly Goal[] = ['APP_INSTALLS', 'LINK_CLICKS', 'SITE_VISITS']

/** The default `pay_by` of a goal. `TARGET` cannot be combined with impressions. */
export function defaultPayBy(objective: Objective, goal: Goal, strategy: string): (typeof PAID_BY)[number] {
  const { payBy } = DEFAULTS[objective]
  const byImpression = PAID_BY_IMPRESSION.includes(goal) || payBy === 'IMPRESSION'
  if (!byImpression) return payBy
  return strategy === 'TARGET' && goal !== 'SITE_VISITS' ? 'LINK_CLICK' : 'IMPRESSION'
}
