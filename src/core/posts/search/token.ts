import { Type } from 'typebox'
import { invalid } from '../../../http/errors.ts'
import type { Query } from '../../../query-language/query.ts'
import type { Sealer } from '../../../storage/seal.ts'
import type { SearchWindow } from '../../../storage/search/search-index.ts'
import type { SentWindow } from './window.ts'
import { checkLater, isNewer, narrowed } from './window.ts'

/** The start of a page: the window of the first page, and what previous pages have shown. */
export interface PagePlace {
  readonly window: SearchWindow
  /** The part of the window that the bounds of this call leave; all of it if absent. */
  readonly within?: SearchWindow
  /** The score and id of the last post that was shown; undefined if the window alone determines the start. */
  readonly after?: { readonly score: number; readonly id: string }
}

const token = Type.Optional(Type.String({ description: '`next_token` of the previous page.' }))

export const tokenParameters = { next_token: token, pagination_token: token }

/** The bounds and the token of a call. */
interface Sent extends SentWindow {
  next_token?: string
  pagination_token?: string
}

/** What a token belongs to. Calls for anything else reject it. */
export interface TokenOf {
  /** Only its holder can create tokens, so that no client looks beyond the window of a search. */
  sealer: Pick<Sealer, 'derive'>
  use: Query['use']
  query: string
  /** The order of the posts, or the length of the periods, even if the call omits it. */
  order: string
}

const MAX_TOKEN_LENGTH = 200
const PROOF_CHARACTERS = 11
const FORM = /^(\d{1,19})\.(\d{1,19})(?:\.(-?\d{1,9})\.(\d{1,19}))?\.([\w-]+)$/

/**
 * Opaque to clients. It contains the window. Its last part proves what it belongs to, and that this service created it.
 */
export function tokenOf({ window, after }: PagePlace, of: TokenOf): string {
  const { from, before } = window
  const place = [from, before, ...(after ? [after.score, after.id] : [])].join('.')
  return Buffer.from(`${place}.${proofOf(place, of)}`).toString('base64url')
}

/**
 * The start of the page of a token; undefined for a call without a token. Clients may send a token with other bounds
 * than those of the first page. A new `since_id` requests posts newer than a page, which no token continues; every
 * other bound narrows the page. Throws an error that names the token, or an invalid bound.
 */
export function placeOf(sent: Sent, of: TokenOf & { now: number }): PagePlace | undefined {
  const place = tokenIn(sent, of)
  if (!place || isNewer(place.window, sent)) return undefined
  checkLater(sent, of.now)
  return { ...place, within: narrowed(place.window, sent) }
}

function tokenIn({ next_token, pagination_token }: Sent, of: TokenOf): PagePlace | undefined {
  const name = next_token === undefined ? 'pagination_token' : 'next_token'
  const value = next_token ?? pagination_token
  if (value === undefined) return undefined
  if (next_token !== undefined && pagination_token !== undefined && next_token !== pagination_token)
    throw wrongToken('pagination_token', pagination_token)
  if (value.length > MAX_TOKEN_LENGTH) throw wrongToken(name, value)
  const parts = FORM.exec(Buffer.from(value, 'base64url').toString('latin1'))
  if (!parts) throw wrongToken(name, value)
  const [, from = '', before = '', score, id, proof] = parts
  const place = [from, before, ...(id === undefined ? [] : [score, id])].join('.')
  if (proof !== proofOf(place, of)) throw wrongToken(name, value)
  return { window: { from, before }, ...(id !== undefined && { after: { score: Number(score), id } }) }
}

export const wrongToken = (name: string, value: string) =>
  invalid({ place: 'query', name, value, fault: { kind: 'invalid' } })

function proofOf(place: string, { sealer, use, query, order }: TokenOf): string {
  // JSON escapes lone surrogates.
  const said = JSON.stringify([place, use, query, order])
  return sealer.derive('search token', said).toString('base64url').slice(0, PROOF_CHARACTERS)
}
