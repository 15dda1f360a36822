import type { App, Permission } from '../../identity/apps/app.ts'
import type { PendingTokens } from '../../identity/auth/pending-tokens.ts'
import type { TokenPair } from '../../identity/tokens/access-tokens.ts'
import type { RequestTokenRow } from '../../identity/tokens/tables.ts'
import type { Clock } from '../../platform/common/clock.ts'
import { randomText } from '../../platform/common/random.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { OauthDependencies } from './endpoint.ts'
import { addRequestToken, decideRequest, requestTokenByHash } from './queries.ts'
import { OUT_OF_BAND } from './question.ts'

const LIFE_MS = 15 * 60_000
const TOKEN_LENGTH = 32
const SECRET_LENGTH = 40
const VERIFIER_LENGTH = 40
const PIN_LENGTH = 7

/**
 * A request token that awaits the decision of a user, and the app that asks. Its state changes from
 * `pending` to `approved` or `denied`, and from `approved` to `used`, each time by one conditional
 * update.
 */
export interface OpenRequest {
  /** As sent by the browser. */
  token: string
  row: RequestTokenRow
  app: App
}

/**
 * Creates a request token. The token and its secret are returned only here; a hash and the
 * encrypted secret are stored.
 */
export async function addRequest(
  request: { app: App; callback: string; access: Permission },
  { store, sealer, random, clock }: Pick<OauthDependencies, 'store' | 'sealer' | 'random' | 'clock'>,
): Promise<TokenPair> {
  const token = randomText(random, TOKEN_LENGTH)
  const secret = randomText(random, SECRET_LENGTH)
  const tokenHash = sealer.hashToken(token)
  const now = clock.now()
  const row: RequestTokenRow = {
    token_hash: tokenHash,
    secret_sealed: sealer.seal(secret, `request token secret ${tokenHash}`),
    app_id: request.app.id,
    callback: request.callback,
    access: request.access,
    state: 'pending',
    user_id: null,
    verifier_hash: null,
    verifier_misses: 0,
    created_at: now,
    expires_at: now + LIFE_MS,
  }
  await store.write((tx) => tx.run(addRequestToken, row))
  return { token, secret }
}

/**
 * The request that a page is about. Rejects one that is unknown, expired or decided, or whose app
 * is suspended.
 */
export async function openRequest(
  token: string,
  {
    store,
    sealer,
    clock,
    credentials,
  }: Pick<OauthDependencies, 'store' | 'sealer' | 'clock' | 'credentials'>,
): Promise<OpenRequest> {
  const row = await store.first(requestTokenByHash, { tokenHash: sealer.hashToken(token) })
  if (row?.state !== 'pending' || row.expires_at <= clock.now())
    throw apiError('invalid token', `request token ${row?.state ?? 'unknown'}`)
  const app = await credentials.appById(row.app_id)
  if (!app) throw apiError('invalid token', 'the app is gone')
  if (app.suspended) throw apiError('app suspended')
  return { token, row, app }
}

/**
 * Approves a request for a user. Resolves to the only verifier that it will ever have: a PIN for
 * `oob`.
 */
export async function approve(
  request: OpenRequest,
  userId: string,
  { store, sealer, random, clock }: Pick<OauthDependencies, 'store' | 'sealer' | 'random' | 'clock'>,
): Promise<string> {
  const { token, row } = request
  const verifier =
    row.callback === OUT_OF_BAND
      ? randomText(random, PIN_LENGTH, '0123456789')
      : randomText(random, VERIFIER_LENGTH)
  const verifierHash = hashVerifier(token, verifier, sealer)
  const at = { tokenHash: row.token_hash, state: 'approved', userId, verifierHash, now: clock.now() }
  const decided = await store.write((tx) => tx.run(decideRequest, at))
  if (decided === 0) throw apiError('invalid token', 'decided meanwhile')
  return verifier
}

/** Ends a request without a verifier. */
export async function deny(
  { row }: OpenRequest,
  { store, clock }: Pick<OauthDependencies, 'store' | 'clock'>,
): Promise<void> {
  const at = {
    tokenHash: row.token_hash,
    state: 'denied',
    userId: null,
    verifierHash: null,
    now: clock.now(),
  }
  const decided = await store.write((tx) => tx.run(decideRequest, at))
  if (decided === 0) throw apiError('invalid token', 'decided meanwhile')
}

/**
 * The stored hash of a verifier includes its request token, so that it is valid for no other one.
 */
export const hashVerifier = (token: string, verifier: string, sealer: Sealer) =>
  sealer.hashToken(`${token} ${verifier}`)

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
