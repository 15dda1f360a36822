import { isTimezone } from '../../api/ads/accounts/account.ts'
import { rolesProblem } from '../../api/ads/accounts/open.ts'
import { isCurrency } from '../../domain/reference-data/currencies.ts'
import { checkCallback } from '../../identity/apps/callback.ts'
import { SCREEN_NAME } from '../../identity/users/users.ts'
import { pointerOf } from '../../platform/common/json-file.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { contentProblems } from './content/problems.ts'
import type { SeedProblem } from './problem.ts'
import type { Seed } from './schema.ts'

/**
 * What the schema of a seed cannot say: values that contradict each other, or that a start could
 * not write.
 */
export const problemsOf = (seed: Seed, now: number): SeedProblem[] => [
  ...usersProblems(seed),
  ...appsProblems(seed),
  ...grantsProblems(seed),
  ...accountsProblems(seed),
  ...contentProblems(seed, now),
]

interface SeedValue {
  readonly pointer: string
  readonly value: string | undefined
}

/** Every value that an earlier one repeats. `what` names the values. */
function repeated(values: readonly SeedValue[], what: string): SeedProblem[] {
  const first = new Map<string, string>()
  return values.flatMap(({ pointer, value }) => {
    if (value === undefined) return []
    const firstPointer = first.get(value)
    if (firstPointer !== undefined) return [{ pointer, what: `is the same ${what} as at ${firstPointer}` }]
    first.set(value, pointer)
    return []
  })
}

const INVISIBLE = 'must have a visible character'

function usersProblems({ users }: Seed): SeedProblem[] {
  const names = users.map(({ screen_name }, at) => ({
    pointer: pointerOf('users', at, 'screen_name'),
    value: screen_name,
  }))
  return [
    ...users.flatMap(({ name }, at) =>
      isBlank(name) ? [{ pointer: pointerOf('users', at, 'name'), what: INVISIBLE }] : [],
    ),
    ...names.flatMap(({ pointer, value }) =>
      SCREEN_NAME.test(value) ? [] : [{ pointer, what: 'must be 1 to 15 letters, digits or underscores' }],
    ),
    ...repeated(
      names.map(({ pointer, value }) => ({ pointer, value: value.toLowerCase() })),
      'screen name',
    ),
  ]
}

function appsProblems(seed: Seed): SeedProblem[] {
  const apps = seed.apps ?? []
  const members = (member: 'consumer_key' | 'client_id') =>
    apps.map((app, at) => ({ pointer: pointerOf('apps', at, member), value: app[member] }))
  return [
    ...apps.flatMap((app, at) => [
      ...(isBlank(app.name) ? [{ pointer: pointerOf('apps', at, 'name'), what: INVISIBLE }] : []),
      ...unknownUser(seed, pointerOf('apps', at, 'owner'), app.owner),
      ...app.callbacks.flatMap((url, index) => {
        const what = checkCallback(url)
        return what === undefined ? [] : [{ pointer: pointerOf('apps', at, 'callbacks', index), what }]
      }),
      ...secretOfPublicClient(app, at),
      ...appContentProblems(seed, app, at),
    ]),
    ...repeated(members('consumer_key'), 'consumer key'),
    ...repeated(members('client_id'), 'client id'),
  ]
}

function appContentProblems(
  seed: Seed,
  { webhooks = [], subscriptions = [] }: NonNullable<Seed['apps']>[number],
  at: number,
): SeedProblem[] {
  const names = new Set(webhooks.map(({ id }) => id))
  const of = (...place: (string | number)[]) => pointerOf('apps', at, ...place)
  return [
    ...webhooks.flatMap(({ url }, index) =>
      URL.canParse(url) && /^https?:\/\//i.test(url)
        ? []
        : [{ pointer: of('webhooks', index, 'url'), what: `"${url}" is not an http or https URL` }],
    ),
    ...repeated(
      webhooks.map(({ url }, index) => ({ pointer: of('webhooks', index, 'url'), value: url })),
      'URL',
    ),
    ...repeated(
      webhooks.map(({ id }, index) => ({ pointer: of('webhooks', index, 'id'), value: id })),
      'id',
    ),
    ...subscriptions.flatMap(({ user, webhook }, index) => [
      ...(user === undefined ? [] : unknownUser(seed, of('subscriptions', index, 'user'), user)),
      ...(webhook === undefined || names.has(webhook)
        ? []
        : [
            {
              pointer: of('subscriptions', index, 'webhook'),
              what: `the app has no webhook with the id "${webhook}"`,
            },
          ]),
    ]),
  ]
}

function secretOfPublicClient(
  { client_type, kind, client_secret }: NonNullable<Seed['apps']>[number],
  at: number,
): SeedProblem[] {
  const isPublic = client_type === undefined ? kind === 'desktop' : client_type !== 'confidential'
  if (!isPublic || client_secret === undefined) return []
  return [
    { pointer: pointerOf('apps', at, 'client_secret'), what: 'only a confidential client has a secret' },
  ]
}

function grantsProblems(seed: Seed): SeedProblem[] {
  const apps = seed.apps ?? []
  const grantsOf = (at: number) =>
    (apps[at]?.grants ?? []).map((grant, index) => ({
      ...grant,
      of: (member: string) => pointerOf('apps', at, 'grants', index, member),
    }))
  const each = apps.map((_, at) => grantsOf(at))
  return [
    ...each.flat().flatMap(({ user, of }) => unknownUser(seed, of('user'), user)),
    // An app has one token for each user.
    ...each.flatMap((grants) =>
      repeated(
        grants.map(({ user, of }) => ({ pointer: of('user'), value: user.toLowerCase() })),
        'user',
      ),
    ),
    ...repeated(
      each.flat().map(({ token, of }) => ({ pointer: of('token'), value: token })),
      'token',
    ),
  ]
}

function accountsProblems(seed: Seed): SeedProblem[] {
  return (seed.accounts ?? []).flatMap(({ owner, timezone, users = [], funding = [] }, at) => [
    ...unknownUser(seed, pointerOf('accounts', at, 'owner'), owner),
    ...(timezone === undefined || isTimezone(timezone)
      ? []
      : [{ pointer: pointerOf('accounts', at, 'timezone'), what: `there is no time zone "${timezone}"` }]),
    ...users.flatMap(({ user, roles }, index) => {
      const what = rolesProblem(roles)
      return [
        ...unknownUser(seed, pointerOf('accounts', at, 'users', index, 'user'), user),
        ...(what === undefined
          ? []
          : [{ pointer: pointerOf('accounts', at, 'users', index, 'roles'), what }]),
      ]
    }),
    ...repeated(
      users.map(({ user }, index) => ({
        pointer: pointerOf('accounts', at, 'users', index, 'user'),
        value: user.toLowerCase(),
      })),
      'user',
    ),
    ...funding.flatMap(({ currency }, index) =>
      isCurrency(currency)
        ? []
        : [
            {
              pointer: pointerOf('accounts', at, 'funding', index, 'currency'),
              what: `"${currency}" is not an ISO 4217 currency`,
            },
          ],
    ),
  ])
}

/** A user that a seed refers to but does not create. */
function unknownUser({ users }: Seed, pointer: string, name: string): SeedProblem[] {
  if (users.some(({ screen_name }) => screen_name.toLowerCase() === name.toLowerCase())) return []
  return [{ pointer, what: `the user "${name}" is not among the users of this file` }]
}
