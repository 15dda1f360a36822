import type { PendingTokens } from '../../identity/auth/pending-tokens.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { requestTokenByHash } from './queries.ts'

/** Request tokens, as the check of a signature sees them. */
export function createPendingTokens(store: Store, sealer: Sealer, clock: Clock): PendingTokens {
  return {
    async secretOf(token, appId) {
      const row = await store.first(requestTokenByHash, { tokenHash: sealer.hashToken(token) })
      if (!row || row.app_id !== appId || row.expires_at <= clock.now()) return undefined
      return sealer.unseal(row.secret_sealed, `request token secret ${row.token_hash}`)
    },
  }
}
