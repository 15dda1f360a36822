import { msg } from '../../../platform/http/message.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'

export type System = 'ANDROID' | 'IOS'

const IDENTIFIERS = {
  ANDROID: /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/,
  IOS: /^[0-9]{1,15}$/,
} as const

const FORMS = { ANDROID: 'a package name', IOS: 'a number' } as const

/** The system whose store has such an identifier; undefined if none has. */
export const systemOf = (identifier: string): System | undefined =>
  (['IOS', 'ANDROID'] as const).find((system) => IDENTIFIERS[system].test(identifier))

/** The error if an identifier is not one of the store of the system. */
export function wrongApp(parameter: string, identifier: string, system: System): AdsError[] {
  if (IDENTIFIERS[system].test(identifier)) return []
  return [
    wrongParameter(
      parameter,
      msg`Expected ${FORMS[system]} for ${system}, got "${identifier}" for ${parameter}`,
      'INVALID_APP_ID',
    ),
  ]
}
