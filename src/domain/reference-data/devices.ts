import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

export interface DeviceOption {
  name: string
  manufacturer: string
  /** iOS, Android or BlackBerry. */
  os_type: string
  targeting_value: string
  targeting_type: 'DEVICE'
}

export const devices = once((): readonly DeviceOption[] =>
  readTable(new URL('devices.tsv', import.meta.url)).flatMap(([os = '', manufacturer = '', ...names]) =>
    names.map((name) => ({
      name,
      manufacturer,
      os_type: os,
      targeting_value: base36Id(`device:${manufacturer}/${name}`, 5),
      targeting_type: 'DEVICE',
    })),
  ),
)

export const deviceByValue = lookup(devices, (option) => option.targeting_value)
