import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import type { Caller } from '../support/callers.ts'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { legacy } from '../support/legacy.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

/**
 * Calls until the documented limit of one window is used up, by an app that does nothing else: all
 * are answered with `status`, and of a Plaza that another user started, whose window an earlier run
 * may have opened, some with `over`.
 */
const usedUp = (
  calls: number,
  row: Pick<Exchange, 'send' | 'form'> & { as: Caller },
  { status, over = 429 }: { status: number; over?: number },
): Story => ({
  it: `${row.send} as ${row.as}: ${calls} calls in a window`,
  needs: row.as,
  async run(world) {
    const replies = await Promise.all(Array.from({ length: calls }, () => send(world, row)))
    const isFresh = world.server.command !== undefined
    const others = replies.filter((reply) => reply.status !== status && (isFresh || reply.status !== over))
    assert.deepEqual(
      others.map((reply) => reply.status),
      [],
    )
  },
})

const reset = (limit: number): Pick<Exchange, 'limit' | 'has'> => ({
  limit,
  has: { 'x-rate-limit-remaining': '0' },
})

const check = { send: 'PUT {base_url}/2/webhooks/1', as: 'limited user' } as const
const token = {
  send: 'POST {base_url}/oauth/request_token',
  as: 'limited client',
  form: { oauth_callback: 'oob' },
} as const
const bearer = {
  send: 'POST {base_url}/oauth2/token',
  as: 'limited basic',
  form: { grant_type: 'client_credentials' },
} as const
const catalog = {
  send: 'PUT {ads_url}/12/product_catalogs/1',
  as: 'limited user',
  form: { name: 'x' },
} as const

/**
 * Sources: interface, Limits; core reference, 00 section 5; advertising reference, 00 section 8.
 */
export const limits: Area = {
  name: 'rate limits',
  base: '',
  as: 'limited user',
  rows: [
    usedUp(450, check, { status: 400 }),
    {
      ...check,
      it: 'the next one is too many',
      status: 429,
      reply: problem.plain(429, 'Too Many Requests'),
      ...reset(450),
    },
    usedUp(180, token, { status: 200 }),
    {
      ...token,
      it: 'the next one is too many',
      status: 429,
      reply: legacy(88, 'Rate limit exceeded'),
      ...reset(180),
    },
    usedUp(450, bearer, { status: 200, over: 403 }),
    {
      ...bearer,
      it: 'a bearer that is asked for too often',
      status: 403,
      reply: legacy(99, 'The bearer token was requested too often. Store it: it stays the same.'),
      ...reset(450),
    },
    usedUp(20, catalog, { status: 404 }),
    {
      ...catalog,
      it: 'the next one is too many',
      status: 429,
      reply: ads.errors({ id: '1' }, ads.error('TOO_MANY_REQUESTS', 'Too many requests')),
      ...reset(20),
    },
  ],
}
