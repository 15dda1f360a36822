import { Type } from 'typebox'

/** The form of media keys (core reference, 00 section 8). */
export const mediaKey = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,2}_[0-9]{1,19}$', description })
