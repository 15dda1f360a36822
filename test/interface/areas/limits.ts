import assert from 'node:assert/strict'
import type { Caller } from '../support/callers.ts'
import * as ads from '../support/ads.ts'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { legacy } from '../support/legacy.ts'
import * as problem from '../support/problems.ts'
import { send } from '../support/world.ts'

/** Calls until the documented limit of one window is used up, by an app that does nothing else. */
const usedUp = (calls: number, row: Pick<Exchange, 'send' | 'form'> & { as: Caller }, over = 429): Story => ({
  it: `${row.send} as ${row.as}: ${calls} calls in a window`,
  needs: row.as,
  async run(world) {
    const statuses = await Promise.all(Array.from({ length: calls }, () => send(world, row)))
    // A window that an earlier run has opened ends sooner.
    const first = statuses.filter(({ status }) => status !== over).length
    assert.ok(first <= calls)
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

/** Sources: interface, Limits; core reference, 00 section 5; advertising reference, 00 section 8. */
export const limits: Area = {
  name: 'rate limits',
  base: '',
  as: 'limited user',
  rows: [
    usedUp(450, check),
    {
      ...check,
      it: 'the next one is too many',
      status: 429,
      reply: problem.plain(429, 'Too Many Requests'),
      ...reset(450),
    },
    usedUp(180, token),
    {
      ...token,
      it: 'the next one is too many',
      status: 429,
      reply: legacy(88, 'Rate limit exceeded'),
      ...reset(180),
    },
    usedUp(450, bearer, 403),
    {
      ...bearer,
      it: 'a bearer that is asked for too often',
      status: 403,
      reply: legacy(99, 'The bearer token was requested too often: keep it, it stays the same.'),
      ...reset(450),
    },
    usedUp(20, catalog),
    {
      ...catalog,
      it: 'the next one is too many',
      status: 429,
      reply: ads.errors({ product_catalog_id: '1' }, ads.error('TOO_MANY_REQUESTS', 'Too many requests')),
      ...reset(20),
    },
  ],
}
