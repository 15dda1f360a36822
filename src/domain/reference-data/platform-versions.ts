import { base36Id } from './ids.ts'
import { lookup, once } from './lookup.ts'

export interface PlatformVersionOption {
  /** The version's own name, or the system and the number for a version without one. */
  name: string
  number: string
  os_type: 'iOS' | 'Android'
  targeting_type: 'PLATFORM_VERSION'
  targeting_value: string
}

const iosNumbers = (
  '4.0 4.1 4.2 4.3 5.0 5.1 6.0 6.1 7.0 7.1 8.0 8.1 8.2 8.3 8.4 9.0 9.1 9.2 9.3 10.0 10.1 10.2 10.3 ' +
  '11.0 11.1 11.2 11.3 11.4 12.0 12.1 12.2 12.3 12.4 12.5 13.0 13.1 13.2 13.3 13.4 13.5 13.6 13.7 ' +
  '14.0 14.1 14.2 14.3 14.4 14.5 14.6 14.7 14.8 15.0 15.1 15.2 15.3 15.4 15.5 15.6 15.7 15.8 ' +
  '16.0 16.1 16.2 16.3 16.4 16.5 16.6 16.7 17.0 17.1 17.2 17.3 17.4 17.5 17.6 17.7 ' +
  '18.0 18.1 18.2 18.3 18.4 18.5 18.6 18.7 26.0 26.1'
).split(' ')

const androidNames: readonly (readonly [name: string, numbers: string])[] = [
  ['Eclair', '2.0 2.1'],
  ['Froyo', '2.2'],
  ['Gingerbread', '2.3'],
  ['Honeycomb', '3.0 3.1 3.2'],
  ['Ice Cream Sandwich', '4.0'],
  ['Jelly Bean', '4.1 4.2 4.3'],
  ['KitKat', '4.4'],
  ['Lollipop', '5.0 5.1'],
  ['Marshmallow', '6.0'],
  ['Nougat', '7.0 7.1'],
  ['Oreo', '8.0 8.1'],
  ['Pie', '9'],
  ['Android 10', '10'],
  ['Android 11', '11'],
  ['Android 12', '12'],
  ['Android 12L', '12.1'],
  ['Android 13', '13'],
  ['Android 14', '14'],
  ['Android 15', '15'],
  ['Android 16', '16'],
]

const documentedIds: Readonly<Record<string, string>> = { 'Android 4.1': '18' }

export const platformVersions = once((): readonly PlatformVersionOption[] => [
  ...iosNumbers.map((number) => version('iOS', `iOS ${number}`, number)),
  ...androidNames.flatMap(([name, numbers]) =>
    numbers.split(' ').map((number) => version('Android', name, number)),
  ),
])

export const platformVersionByValue = lookup(platformVersions, (option) => option.targeting_value)

function version(os: 'iOS' | 'Android', name: string, number: string): PlatformVersionOption {
  const key = `${os} ${number}`
  return {
    name,
    number,
    os_type: os,
    targeting_type: 'PLATFORM_VERSION',
    targeting_value: documentedIds[key] ?? base36Id(`platform-version:${key}`),
  }
}
