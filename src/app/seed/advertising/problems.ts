import { isTimezone } from '../../../api/ads/accounts/account.ts'
import { rolesProblem } from '../../../api/ads/accounts/open.ts'
import { isUserType } from '../../../api/ads/targeting/types.ts'
import { isCurrency } from '../../../domain/reference-data/currencies.ts'
import { pointerOf } from '../../../platform/common/json-file.ts'
import { placedPosts } from '../content/posts-in-order.ts'
import { repeated, timeProblems, type Users } from '../known.ts'
import type { SeedProblem } from '../problem.ts'
import type { Seed } from '../schema.ts'
import type { SeedAccount, SeedCampaign, SeedLineItem } from './schema.ts'
import { AHEAD_MS, secondOf } from './times.ts'

/** What the accounts of a seed are checked against. */
interface Surroundings {
  readonly known: Users
  readonly postNames: ReadonlySet<string | undefined>
  readonly now: number
}

/** What is wrong with the advertising accounts of a seed, but for the rules of their entities. */
export function accountsProblems(seed: Seed, known: Users, now: number): SeedProblem[] {
  const postNames = new Set(placedPosts(seed, now).map(({ post }) => post.id))
  return (seed.accounts ?? []).flatMap((account, at) => [
    ...accountProblems(account, at, known),
    ...fundingProblems(account, at, now),
    ...(account.audiences ?? []).flatMap(({ created_at }, index) =>
      timeProblems(pointerOf('accounts', at, 'audiences', index, 'created_at'), created_at, now, now),
    ),
    ...(account.campaigns ?? []).flatMap((campaign, index) =>
      campaignProblems(campaign, pointerOf('accounts', at, 'campaigns', index), account, {
        known,
        postNames,
        now,
      }),
    ),
  ])
}

function accountProblems(
  { owner, timezone, users = [] }: SeedAccount,
  at: number,
  known: Users,
): SeedProblem[] {
  const of = (...place: (string | number)[]) => pointerOf('accounts', at, ...place)
  return [
    ...known.unknown(of('owner'), owner),
    ...(timezone === undefined || isTimezone(timezone)
      ? []
      : [{ pointer: of('timezone'), what: `there is no time zone "${timezone}"` }]),
    ...users.flatMap(({ user, roles }, index) => {
      const what = rolesProblem(roles)
      return [
        ...known.unknown(of('users', index, 'user'), user),
        ...(what === undefined ? [] : [{ pointer: of('users', index, 'roles'), what }]),
      ]
    }),
    ...repeated(
      users.map(({ user }, index) => ({ pointer: of('users', index, 'user'), value: user.toLowerCase() })),
      'user',
    ),
  ]
}

function fundingProblems({ funding = [] }: SeedAccount, at: number, now: number): SeedProblem[] {
  const of = (index: number, member: string) => pointerOf('accounts', at, 'funding', index, member)
  return [
    ...funding.flatMap(({ currency, start_time, end_time }, index) => [
      ...(isCurrency(currency)
        ? []
        : [{ pointer: of(index, 'currency'), what: `"${currency}" is not an ISO 4217 currency` }]),
      ...timeProblems(of(index, 'start_time'), start_time, now, now + AHEAD_MS),
      ...timeProblems(of(index, 'end_time'), end_time, now, now + AHEAD_MS),
      ...((secondOf(end_time, now) ?? Number.POSITIVE_INFINITY) <= (secondOf(start_time, now) ?? now)
        ? [{ pointer: of(index, 'end_time'), what: 'is not later than the start' }]
        : []),
    ]),
    ...repeated(
      funding.map(({ id }, index) => ({ pointer: of(index, 'id'), value: id })),
      'id',
    ),
  ]
}

function campaignProblems(
  { funding, created_at, line_items = [] }: SeedCampaign,
  pointer: string,
  account: SeedAccount,
  around: Surroundings,
): SeedProblem[] {
  const { funding: payers = [] } = account
  const { now } = around
  return [
    ...(payers.length === 0 ? [{ pointer, what: 'the account has no `funding` to pay for it' }] : []),
    ...(funding === undefined || payers.some(({ id }) => id === funding)
      ? []
      : [
          {
            pointer: `${pointer}/funding`,
            what: `the account has no funding instrument with the id "${funding}"`,
          },
        ]),
    ...timeProblems(`${pointer}/created_at`, created_at, now, now),
    ...line_items.flatMap((lineItem, index) =>
      lineItemProblems(lineItem, `${pointer}/line_items/${index}`, around),
    ),
  ]
}

function lineItemProblems(
  { created_at, start_time, end_time, targeting = [], promoted_posts = [] }: SeedLineItem,
  pointer: string,
  { known, postNames, now }: Surroundings,
): SeedProblem[] {
  return [
    ...timeProblems(`${pointer}/created_at`, created_at, now, now),
    ...timeProblems(`${pointer}/start_time`, start_time, now, now + AHEAD_MS),
    ...timeProblems(`${pointer}/end_time`, end_time, now, now + AHEAD_MS),
    ...targeting.flatMap(({ targeting_type, targeting_value = '' }, index) =>
      targeting_value.startsWith('@') && isUserType(targeting_type)
        ? known.unknown(`${pointer}/targeting/${index}/targeting_value`, targeting_value.slice(1))
        : [],
    ),
    ...promoted_posts.flatMap((name, index) =>
      postNames.has(name)
        ? []
        : [
            {
              pointer: `${pointer}/promoted_posts/${index}`,
              what: `there is no post with the id "${name}" in this file`,
            },
          ],
    ),
  ]
}
