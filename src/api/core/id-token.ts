import { Type } from 'typebox'
import { boundOf, FIRST_ID, fromBase36 } from '../../platform/common/ids.ts'

const TOKEN_LENGTH = 16
const BASE = 36

/** `pagination_token` of a list in the order of ids, oldest first: 16 digits in base 36. */
export const idToken = Type.Optional(
  Type.String({ pattern: `^[0-9a-z]{${TOKEN_LENGTH}}$`, description: '`next_token` of the previous page.' }),
)

/** The token of the page that follows an id. */
export const tokenOfId = (last: string) => BigInt(last).toString(BASE).padStart(TOKEN_LENGTH, '0')

/** The last id of the previous page; the first id for the first page. */
export const idOfToken = (token: string | undefined): string =>
  token === undefined ? FIRST_ID : boundOf(fromBase36(token))
