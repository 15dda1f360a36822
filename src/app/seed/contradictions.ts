import { checkCallback } from '../../identity/apps/callback.ts'
import { handleOf } from '../../identity/tokens/user-tokens.ts'
import { SCREEN_NAME } from '../../identity/users/users.ts'
import { pointerOf } from '../../platform/common/json-file.ts'
import { isBlank } from '../../platform/common/visible.ts'
import { accountsProblems } from './advertising/problems.ts'
import { contentProblems } from './content/problems.ts'
import { repeated, timeProblems, Users } from './known.ts'
import type { SeedProblem } from './problem.ts'
import type { Seed } from './schema.ts'

/**
 * What the schema of a seed cannot say: values that contradict each other, or that a start could
 * not write.
 */
export function problemsOf(seed: Seed, now: number): SeedProblem[] {
  const known = new Users(seed)
  return [
    ...usersProblems(seed),
    ...appsProblems(seed, known),
    ...grantsProblems(seed, known),
    ...userTokensProblems(seed, known, now),
    ...accountsProblems(seed, known, now),
    ...contentProblems(seed, known, now),
  ]
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

function appsProblems(seed: Seed, known: Users): SeedProblem[] {
  const apps = seed.apps ?? []
  const members = (member: 'consumer_key' | 'client_id') =>
    apps.map((app, at) => ({ pointer: pointerOf('apps', at, member), value: app[member] }))
  return [
    ...apps.flatMap((app, at) => [
      ...(isBlank(app.name) ? [{ pointer: pointerOf('apps', at, 'name'), what: INVISIBLE }] : []),
      ...known.unknown(pointerOf('apps', at, 'owner'), app.owner),
      ...app.callbacks.flatMap((url, index) => {
        const what = checkCallback(url)
        return what === undefined ? [] : [{ pointer: pointerOf('apps', at, 'callbacks', index), what }]
      }),
      ...secretOfPublicClient(app, at),
      ...appContentProblems(known, app, at),
    ]),
    ...repeated(members('consumer_key'), 'consumer key'),
    ...repeated(members('client_id'), 'client id'),
  ]
}

function appContentProblems(
  known: Users,
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
      ...(user === undefined ? [] : known.unknown(of('subscriptions', index, 'user'), user)),
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

function grantsProblems(seed: Seed, known: Users): SeedProblem[] {
  const apps = seed.apps ?? []
  const grantsOf = (at: number) =>
    (apps[at]?.grants ?? []).map((grant, index) => ({
      ...grant,
      of: (member: string) => pointerOf('apps', at, 'grants', index, member),
    }))
  const each = apps.map((_, at) => grantsOf(at))
  return [
    ...each.flat().flatMap(({ user, of }) => known.unknown(of('user'), user)),
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

/** A year. */
export const MAX_TOKEN_MS = 366 * 86_400_000

function userTokensProblems({ apps = [] }: Seed, known: Users, now: number): SeedProblem[] {
  const tokens = apps.flatMap(({ user_tokens = [] }, at) =>
    user_tokens.map((token, index) => ({
      ...token,
      of: (member: string) => pointerOf('apps', at, 'user_tokens', index, member),
    })),
  )
  return [
    ...tokens.flatMap(({ user, scopes, refresh_token, expires_at, of }) => [
      ...known.unknown(of('user'), user),
      ...timeProblems(of('expires_at'), expires_at, now, now + MAX_TOKEN_MS),
      ...(refresh_token === undefined || scopes.includes('offline.access')
        ? []
        : [{ pointer: of('refresh_token'), what: 'needs the scope offline.access' }]),
    ]),
    ...repeated(
      tokens.map(({ access_token, of }) => ({ pointer: of('access_token'), value: access_token })),
      'token',
    ),
    ...repeated(
      tokens.map(({ refresh_token, of }) => ({
        pointer: of('refresh_token'),
        value: refresh_token && handleOf(refresh_token),
      })),
      'beginning',
    ),
  ]
}
