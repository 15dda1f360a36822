import { randomText } from '../common/random.ts'
import type { Transaction } from '../storage/store.ts'
import type { Permission } from './app.ts'
import type { IdentityParts } from './parts.ts'
import { addAccessToken } from './queries.ts'

const TOKEN_LENGTH = 40
const TOKEN_SECRET_LENGTH = 45

export interface TokenPair {
  token: string
  secret: string
}

/** Grants an app access to a user's account: a token `<user id>-<random>` and its secret. */
export async function createAccessToken(
  tx: Transaction,
  grant: { appId: string; userId: string; access: Permission; token?: string; secret?: string },
  { clock, random, sealer }: Omit<IdentityParts, 'ids'>,
): Promise<TokenPair> {
  const token = grant.token ?? `${grant.userId}-${randomText(random, TOKEN_LENGTH)}`
  const secret = grant.secret ?? randomText(random, TOKEN_SECRET_LENGTH)
  const tokenHash = sealer.hashToken(token)
  await tx.run(addAccessToken, {
    token_hash: tokenHash,
    token_sealed: sealer.seal(token, `access token ${tokenHash}`),
    secret_sealed: sealer.seal(secret, `access token secret ${tokenHash}`),
    app_id: grant.appId,
    user_id: grant.userId,
    access: grant.access,
    created_at: clock.now(),
  })
  return { token, secret }
}
