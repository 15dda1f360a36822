import { lookup } from '../../platform/common/lookup.ts'

export interface PlatformOption {
  name: string
  targeting_type: 'PLATFORM'
  targeting_value: string
}

export const platforms: readonly PlatformOption[] = [
  'iOS',
  'Android',
  'BlackBerry phones and tablets',
  'Mobile web on other devices',
  'Desktop and laptop computers',
].map((name, at) => ({ name, targeting_type: 'PLATFORM', targeting_value: String(at) }))

/** The platforms that are set for a line item that promotes an app. */
export const platformOfAppStore = { IOS: '0', ANDROID: '1' } as const

export const platformByValue = lookup(
  () => platforms,
  (platform) => platform.targeting_value,
)
