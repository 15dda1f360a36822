import type { Sealer } from '../../platform/storage/seal.ts'
import { addSetting, putSetting, settingByName } from '../../platform/storage/settings.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'

/**
 * What the seed created, with every secret. Stored encrypted, for the ready file of later starts.
 */
export interface SeedRecord {
  users: { id: string; screenName: string; name: string; password: string }[]
  apps: {
    id: string
    name: string
    consumerKey: string
    consumerSecret: string
    /** The OAuth 2.0 client id; absent in stores that an earlier version seeded. */
    clientId?: string
    /** Confidential clients only. */
    clientSecret?: string
    grants: { userId: string; screenName: string; token: string; secret: string }[]
    /** Of OAuth 2.0; absent in stores that an earlier version seeded. */
    userTokens?: SeededUserToken[]
  }[]
  /** Advertising accounts, with their funding instruments. */
  accounts: {
    id: string
    environment: 'production' | 'sandbox'
    name: string
    owner: string
    fundingInstrumentIds: string[]
  }[]
}

/** OAuth 2.0 tokens that an app of the seed has for a user. */
export interface SeededUserToken {
  grantId: string
  userId: string
  screenName: string
  scopes: string[]
  accessToken: string
  /** Only with the scope `offline.access`. */
  refreshToken?: string | undefined
  /** Of the access token, in epoch milliseconds. */
  expiresAt: number
}

/** The name of the record, and the context of its encryption. */
const SETTING = 'planted'

/** What the seed of this store created; undefined if it created nothing. */
export async function recallSeeded(store: Store, sealer: Sealer): Promise<SeedRecord | undefined> {
  const setting = await store.first(settingByName, { name: SETTING })
  return setting && read(setting.value, sealer)
}

/** Records what was created. Throws UniqueViolation when another start was faster. */
export const recordSeeded = (tx: Transaction, sealer: Sealer, seeded: SeedRecord) =>
  tx.run(addSetting, { name: SETTING, value: sealer.seal(JSON.stringify(seeded), SETTING) })

/** The name of the setting that says that the operator has been shown what the seed created. */
const SHOWN = 'seed_shown'

/**
 * Whether a start has shown what the seed created. The start that created it may have failed before
 * it could.
 */
export const isSeedShown = async (store: Store): Promise<boolean> =>
  (await store.first(settingByName, { name: SHOWN })) !== undefined

/** Records that a start has shown it. */
export const recordSeedShown = (store: Store) => store.write((tx) => putSetting(tx, SHOWN, 'yes'))

/** Updates the record when a secret in it is replaced. */
export async function amendSeeded(
  tx: Transaction,
  sealer: Sealer,
  amend: (seeded: SeedRecord) => void,
): Promise<void> {
  const setting = await tx.first(settingByName, { name: SETTING })
  if (!setting) return
  const seeded = read(setting.value, sealer)
  amend(seeded)
  await putSetting(tx, SETTING, sealer.seal(JSON.stringify(seeded), SETTING))
}

/** Encrypts the record with another master key. */
export async function resealSeeded(tx: Transaction, from: Sealer, to: Sealer): Promise<void> {
  const setting = await tx.first(settingByName, { name: SETTING })
  if (setting) await putSetting(tx, SETTING, to.seal(from.unseal(setting.value, SETTING), SETTING))
}

/** A store that was seeded before advertising accounts existed has no record of any. */
const read = (value: string, sealer: Sealer): SeedRecord => ({
  accounts: [],
  ...(JSON.parse(sealer.unseal(value, SETTING)) as Omit<SeedRecord, 'accounts'>),
})
