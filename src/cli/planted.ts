import type { Planted } from '../seed/seed.ts'
import { settingByName } from '../store/open.ts'
import { query } from '../store/query.ts'
import type { Sealer } from '../store/seal.ts'
import type { Transaction } from '../store/store.ts'

/** The name and the sealing context of the record: see `plant`. */
const SETTING = 'planted'
/** As long as those that the first start makes. */
export const PASSWORD_LENGTH = 16

const amendSetting = query<{ name: string; value: string }>('amendSetting', (db, at) =>
  db.updateTable('settings').set({ value: at.value }).where('name', '=', at.name),
)

/** Keeps the record of what the first start made true, when a secret in it is replaced. */
export async function amendPlanted(
  tx: Transaction,
  sealer: Sealer,
  amend: (planted: Planted) => void,
): Promise<void> {
  const setting = await tx.first(settingByName, { name: SETTING })
  if (!setting) return
  const planted = JSON.parse(sealer.unseal(setting.value, SETTING)) as Planted
  amend(planted)
  await tx.run(amendSetting, { name: SETTING, value: sealer.seal(JSON.stringify(planted), SETTING) })
}
