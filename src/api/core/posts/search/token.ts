import { Type } from 'typebox'
import type { Query } from '../../../../domain/query-language/query.ts'
import type { SearchWindow } from '../../../../domain/search/index/search-index.ts'
import { fromBase36 } from '../../../../platform/common/ids.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import type { Sealer } from '../../../../platform/storage/seal.ts'
import { checkLater, isNewer, narrowed, type SearchWindowQuery } from './window.ts'

/** The start of a page: the window of the first page, and what previous pages have shown. */
export interface SearchPosition {
  readonly window: SearchWindow
  /** The part of the window that the bounds of this call leave; all of it if absent. */
  readonly within?: SearchWindow
  /**
   * The score and id of the last post that was shown; undefined if the window alone determines the
   * start.
   */
  readonly after?: { readonly score: number; readonly id: string }
}

const token = Type.Optional(Type.String({ description: '`next_token` of the previous page.' }))

export const tokenParameters = { next_token: token, pagination_token: token }

/** The bounds and the token of a call. */
interface PageTokenQuery extends SearchWindowQuery {
  next_token?: string
  pagination_token?: string
}

/** What a token belongs to. Calls for anything else reject it. */
export interface TokenBinding {
  /** Only its holder can create tokens, so that no client looks beyond the window of a search. */
  sealer: Pick<Sealer, 'derive'>
  use: Query['use']
  query: string
  /** The order of the posts, or the length of the periods, even if the call omits it. */
  order: string
}

const ID_DIGITS = 13
const SCORE_DIGITS = 6
/** Scores have up to nine decimal digits and a sign; shifted by this, they are not negative. */
const SCORE_SHIFT = 1_000_000_000
const ID = `([0-9a-z]{${ID_DIGITS}})`
/** The numbers of the place in base 36, then the proof. */
const FORM = new RegExp(`^${ID}${ID}(?:([0-9a-z]{${SCORE_DIGITS}})${ID})?${ID}$`)

const digits = (value: string | number | bigint, count: number) =>
  BigInt(value).toString(36).padStart(count, '0')

/**
 * Opaque to clients, in lower-case letters and digits. It contains the window. Its last part proves
 * what it belongs to, and that this service created it.
 */
export function tokenOf({ window, after }: SearchPosition, of: TokenBinding): string {
  const ids = digits(window.from, ID_DIGITS) + digits(window.before, ID_DIGITS)
  const last = after && digits(after.score + SCORE_SHIFT, SCORE_DIGITS) + digits(after.id, ID_DIGITS)
  const place = ids + (last ?? '')
  return place + proofOf(place, of)
}

/**
 * The start of the page of a token; undefined for a call without a token. Clients may send a token
 * with other bounds than those of the first page. A new `since_id` requests posts newer than a
 * page, which no token continues; every other bound narrows the page. Throws an error that names
 * the token, or an invalid bound.
 */
export function positionOf(
  query: PageTokenQuery,
  of: TokenBinding & { now: number },
): SearchPosition | undefined {
  const place = tokenIn(query, of)
  if (!place || isNewer(place.window, query)) return undefined
  checkLater(query, of.now)
  return { ...place, within: narrowed(place.window, query) }
}

function tokenIn(
  { next_token, pagination_token }: PageTokenQuery,
  of: TokenBinding,
): SearchPosition | undefined {
  const name = next_token === undefined ? 'pagination_token' : 'next_token'
  const value = next_token ?? pagination_token
  if (value === undefined) return undefined
  if (next_token !== undefined && pagination_token !== undefined && next_token !== pagination_token)
    throw wrongToken('pagination_token', pagination_token)
  const parts = FORM.exec(value)
  if (!parts) throw wrongToken(name, value)
  const [, from = '', before = '', score, id, proof] = parts
  if (proof !== proofOf(value.slice(0, -ID_DIGITS), of)) throw wrongToken(name, value)
  const after =
    score === undefined || id === undefined
      ? undefined
      : { score: Number(fromBase36(score)) - SCORE_SHIFT, id: fromBase36(id) }
  const window = { from: fromBase36(from), before: fromBase36(before) }
  return { window, ...(after && { after }) }
}

export const wrongToken = (name: string, value: string) =>
  invalid({ place: 'query', name, value, fault: { kind: 'invalid' } })

function proofOf(place: string, { sealer, use, query, order }: TokenBinding): string {
  // JSON escapes lone surrogates.
  const bound = JSON.stringify([place, use, query, order])
  return digits(sealer.derive('search token', bound).readBigUInt64BE(), ID_DIGITS)
}
