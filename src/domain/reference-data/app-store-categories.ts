import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

export interface AppStoreCategoryOption {
  name: string
  targeting_type: 'APP_STORE_CATEGORY'
  targeting_value: string
  os_type: string
}

export const appStoreCategories = once((): readonly AppStoreCategoryOption[] =>
  readTable(new URL('app-store-categories.tsv', import.meta.url)).flatMap(([os = '', ...names]) =>
    names.map((name) => ({
      name,
      targeting_type: 'APP_STORE_CATEGORY',
      targeting_value: base36Id(`app-store-category:${os}/${name}`),
      os_type: os,
    })),
  ),
)

export const appStoreCategoryByValue = lookup(appStoreCategories, (option) => option.targeting_value)

export function isAppStoreCategory(value: string): boolean {
  return appStoreCategoryByValue(value) !== undefined
}
