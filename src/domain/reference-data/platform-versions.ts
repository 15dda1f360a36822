import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

export interface PlatformVersionOption {
  /** The version's own name, or the system and the number for a version without one. */
  name: string
  number: string
  /** iOS or Android. */
  os_type: string
  targeting_type: 'PLATFORM_VERSION'
  targeting_value: string
}

export const platformVersions = once((): readonly PlatformVersionOption[] =>
  readTable(new URL('platform-versions.tsv', import.meta.url)).map(([os = '', number = '', name = '']) => ({
    name,
    number,
    os_type: os,
    targeting_type: 'PLATFORM_VERSION',
    targeting_value: base36Id(`platform-version:${os} ${number}`),
  })),
)

export const platformVersionByValue = lookup(platformVersions, (option) => option.targeting_value)
