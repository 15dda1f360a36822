import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { invalid } from '../../../http/errors.ts'
import type { SearchWindow } from '../../../storage/search/search-index.ts'
import type { SentWindow } from './window.ts'
import { isNewer, narrowed } from './window.ts'

/** Where a page begins: the window of the first page, and what the pages before it showed. */
export interface PagePlace {
  readonly window: SearchWindow
  /** What the bounds of this call leave of the window; all of it when absent. */
  readonly within?: SearchWindow
  /** The score and id of the last post that was shown; undefined where the window alone says it. */
  readonly after?: { readonly score: number; readonly id: string }
}

const token = Type.Optional(Type.String({ description: '`next_token` of the previous page.' }))

export const tokenParameters = { next_token: token, pagination_token: token }

/** What a token belongs to, and the bounds of the call that sends it. */
export interface TokenOf extends SentWindow {
  query: string
  sort_order?: string
  granularity?: string
  next_token?: string
  pagination_token?: string
}

const MAX_TOKEN_LENGTH = 200
const FORM = /^(\d{1,19})\.(\d{1,19})(?:\.(-?\d{1,9})\.(\d{1,19}))?\.([\w-]{11})$/

/** Opaque to clients. It names the query that it belongs to, so that it continues no other. The window is part of it. */
export function tokenOf({ window, after }: PagePlace, of: TokenOf): string {
  const { from, before } = window
  const place = [from, before, ...(after ? [after.score, after.id] : [])].join('.')
  return Buffer.from(`${place}.${digestOf(place, of)}`).toString('base64url')
}

/**
 * Where the page of a token begins; undefined for a call that starts from the first page. Clients send a token with other bounds than
 * those of the first page: a `since_id` of another post asks for what is newer than a page, which no token continues;
 * every other bound narrows the page. Throws an error that names the token.
 */
export function placeOf(sent: TokenOf): PagePlace | undefined {
  const place = tokenIn(sent)
  if (!place || isNewer(place.window, sent)) return undefined
  return { ...place, within: narrowed(place.window, sent) }
}

function tokenIn(sent: TokenOf): PagePlace | undefined {
  const { next_token, pagination_token } = sent
  const name = next_token === undefined ? 'pagination_token' : 'next_token'
  const value = next_token ?? pagination_token
  if (value === undefined) return undefined
  if (next_token !== undefined && pagination_token !== undefined && next_token !== pagination_token)
    throw wrongToken('pagination_token', pagination_token)
  if (value.length > MAX_TOKEN_LENGTH) throw wrongToken(name, value)
  const parts = FORM.exec(Buffer.from(value, 'base64url').toString('latin1'))
  if (!parts) throw wrongToken(name, value)
  const [, from = '', before = '', score, id, digest] = parts
  const place = [from, before, ...(id === undefined ? [] : [score, id])].join('.')
  if (digest !== digestOf(place, sent)) throw wrongToken(name, value)
  return { window: { from, before }, ...(id !== undefined && { after: { score: Number(score), id } }) }
}

export const wrongToken = (name: string, value: string) =>
  invalid({ place: 'query', name, value, fault: { kind: 'invalid' } })

function digestOf(place: string, { query, sort_order, granularity }: TokenOf): string {
  const said = [place, query, sort_order, granularity]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 11)
}
