/**
 * Envelopes of the advertising API (interface, Advertising resources; advertising reference, 00
 * sections 4 to 7).
 */

type Params = Readonly<Record<string, unknown>>
type ErrorMembers = { parameter?: string; attribute?: string }

/** What replies about the account of the suite echo. */
export const own = (params: Params = {}): Params => ({ account_id: '{account}', ...params })

/** Documented limits: reads in 15 minutes, writes in one. */
export const READS = 2000
export const WRITES = 450
/** Core entities count per account, which lifts the limit of the caller. */
export const CORE_READS = { limit: 150_000, accountLimit: 10_000 }

/** One entity, with the parsed parameters. */
export const single = (params: Params, data: unknown) => ({ request: { params }, data })

/** A page of a list. It is the last one, unless a cursor is given. */
export const list = (params: Params, data: unknown, next_cursor: unknown = null) => ({
  request: { params },
  next_cursor,
  data,
})

/** One entry of `errors`: the code, the message, and the parameter or attribute. */
export const error = (code: string, message: unknown, wrong: ErrorMembers = {}) => ({
  code,
  message,
  ...wrong,
})

export const errors = (params: Params, ...all: unknown[]) => ({ errors: all, request: { params } })

export const unauthorized = (params: Params = {}) =>
  errors(params, error('UNAUTHORIZED_ACCESS', 'This request is not properly authenticated'))
