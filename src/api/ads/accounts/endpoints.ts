import type { AdsEndpoint } from '../endpoint.ts'
import { listAccountHistory } from '../history/list.ts'
import { getAuthenticatedUserAccess } from './access.ts'
import { accountApps } from './apps.ts'
import { createAccount } from './create.ts'
import { deleteAccount } from './delete.ts'
import { addFeatures, listFeatures, removeFeatures } from './features.ts'
import { getAccount } from './get.ts'
import { listAccounts } from './list.ts'
import { getTaxSettings, updateTaxSettings } from './tax-settings.ts'
import { updateAccount } from './update.ts'
import { getUserSettings, updateUserSettings } from './user-settings.ts'

export const accountEndpoints: readonly AdsEndpoint[] = [
  listAccounts,
  getAccount,
  createAccount,
  updateAccount,
  deleteAccount,
  ...accountApps.endpoints,
  listAccountHistory,
  getAuthenticatedUserAccess,
  getUserSettings,
  updateUserSettings,
  getTaxSettings,
  updateTaxSettings,
  listFeatures,
  addFeatures,
  removeFeatures,
]
