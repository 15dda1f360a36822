import { Type } from 'typebox'
import { COMMUNITY_ID, digitsOf } from '../../../domain/communities/ids.ts'
import { invalid, type ParameterPlace } from '../../../platform/http/errors.ts'

/** The id of a community in a request, in both of its forms. */
export const communityId = (description: string) => Type.String({ pattern: COMMUNITY_ID, description })

/** The digits of an id in a request. Throws an error that names it. */
export function communityIdIn(place: ParameterPlace, name: string, value: string): string {
  const digits = digitsOf(value)
  if (digits === undefined) throw invalid({ place, name, value, fault: { kind: 'invalid' } })
  return digits
}

/** The community that the documents show. */
export const COMMUNITY = { id: '1900000000000000055', name: 'Beekeepers' }

export const SOURCE = 'Core reference, 06 section 3'
export const LIMITS = '300/15m'
