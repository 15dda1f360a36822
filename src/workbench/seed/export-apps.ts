import { callbacksOfApp, pageOfApps, pageOfTokens } from '../../identity/apps/queries.ts'
import { digestOf } from '../../identity/tokens/user-tokens.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { compareIds } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { SeedRecord } from '../create/seeded.ts'
import { exportAppContent } from './export-app-content.ts'
import type { ExportedNames } from './exported-names.ts'
import { type UserGrantRow, userGrantsOfUsers } from './queries.ts'

const MAX_APPS = 1000
const MAX_TOKENS = 10_000

/** Apps of exported users, with what exported users grant them. */
export async function exportApps(
  { store, clock }: { store: Store; clock: TimeSource },
  names: ExportedNames,
  record: SeedRecord | undefined,
) {
  const tokens = await store.all(pageOfTokens, { user: '', app: '', limit: MAX_TOKENS })
  const users = JSON.stringify([...names.keys()])
  const userGrants = (await store.all(userGrantsOfUsers, { users, now: clock.now() })).toSorted(
    (a, b) => a.created_at - b.created_at || compareIds(a.id, b.id),
  )
  const apps = []
  for (const row of await store.all(pageOfApps, { after: '', limit: MAX_APPS })) {
    const owner = names.get(row.owner_user_id)
    if (owner === undefined) continue
    const callbacks = (await store.all(callbacksOfApp, { appId: row.id })).map(({ url }) => url)
    const known = record?.apps.find(({ id }) => id === row.id)
    const grants = tokens
      .filter(({ app_id }) => app_id === row.id)
      .flatMap(({ user_id, access }) => {
        const user = names.get(user_id)
        if (user === undefined) return []
        const secret = known?.grants.find(({ userId }) => userId === user_id)
        return [{ user, access, ...(secret && { token: secret.token, secret: secret.secret }) }]
      })
    const userTokens = userGrants
      .filter(({ app_id }) => app_id === row.id)
      .map((grant) => userTokenOf(grant, names, known))
    apps.push({
      name: row.name,
      website: row.website,
      owner,
      callbacks: callbacks.toSorted(),
      permission: row.permission,
      kind: row.kind,
      sign_in: row.sign_in === 1,
      ...(row.enrolled === 0 && { enrolled: false }),
      ...(row.enterprise === 1 && { enterprise: true }),
      ...(row.client_type !== null && { client_type: row.client_type }),
      ...(known && secretsOf(known)),
      grants,
      ...(userTokens.length > 0 && { user_tokens: userTokens }),
      ...(await exportAppContent(store, row.id, names)),
    })
  }
  return apps
}

const secretsOf = ({ consumerKey, consumerSecret, clientId, clientSecret }: SeedRecord['apps'][number]) => ({
  consumer_key: consumerKey,
  consumer_secret: consumerSecret,
  ...(clientId !== undefined && { client_id: clientId }),
  ...(clientSecret !== undefined && { client_secret: clientSecret }),
})

/** The tokens themselves are included as long as they are those that the seed created. */
function userTokenOf(
  { id, user_id, scopes, token_expires_at, refresh_hash }: UserGrantRow,
  names: ExportedNames,
  app: SeedRecord['apps'][number] | undefined,
) {
  const known = app?.userTokens?.find(({ grantId }) => grantId === id)
  const isFirst = known?.refreshToken === undefined || digestOf(known.refreshToken) === refresh_hash
  return {
    user: names.get(user_id),
    scopes: scopes.split(' '),
    ...(known && known.expiresAt === token_expires_at && { access_token: known.accessToken }),
    ...(known?.refreshToken !== undefined && isFirst && { refresh_token: known.refreshToken }),
    ...(token_expires_at !== null && { expires_at: isoTime(token_expires_at) }),
  }
}
