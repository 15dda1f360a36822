import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as ads from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { legacy } from '../support/legacy.ts'
import { UNKNOWN_CALLERS_BYTES } from '../support/plaza.ts'
import * as problem from '../support/problems.ts'
import { send, type World } from '../support/world.ts'

const plain: Pick<Exchange, 'as' | 'headers'> = { as: 'proxied', headers: { 'x-forwarded-proto': 'http' } }
const secure: Pick<Exchange, 'as' | 'headers'> = { as: 'proxied', headers: { 'x-forwarded-proto': 'https' } }

const FORM = 'application/x-www-form-urlencoded'
const LARGEST_FORM = 8 * 1024 * 1024
const held = new Set<ClientRequest>()

/**
 * Begins a request whose body never ends, so that the server keeps what it received. It begins
 * again if it is rejected because another request used the memory at that moment.
 */
function hold(world: World, bytes: number): void {
  const url = `${world.variables.proxied_url}/1.1/media/upload.json`
  const headers = { 'content-type': FORM, 'content-length': bytes + 1, 'x-forwarded-proto': 'https' }
  const one = request(url, { method: 'POST', headers })
  const again = () => {
    if (held.delete(one)) hold(world, bytes)
  }
  one.on('error', again).on('response', (reply) => {
    reply.resume()
    again()
  })
  one.write(Buffer.alloc(bytes, 0x61))
  held.add(one)
}

const upload = { send: 'POST {proxied_url}/1.1/media/upload.json', form: { media_data: 'AAAA' } }

/** Sources: interface, Authentication rule 5; core reference, 00 sections 1, 3.1 and 4. */
export const proxy: Area = {
  name: 'behind a proxy',
  base: '{proxied_url}',
  as: 'proxied',
  rows: [
    {
      ...plain,
      it: 'a client that speaks plain HTTP to the proxy',
      send: 'GET /1.1/account/verify_credentials.json',
      status: 403,
      reply: legacy(92, 'SSL is required'),
    },
    {
      ...plain,
      it: 'a client that speaks plain HTTP to the proxy',
      send: 'GET /2/webhooks',
      status: 403,
      reply: problem.forbidden('SSL is required'),
      type: 'application/problem+json; charset=utf-8',
    },
    {
      ...plain,
      it: 'a client that speaks plain HTTP to the proxy',
      send: 'GET {proxied_ads_url}/12/accounts',
      status: 403,
      reply: ads.errors({}, ads.error('UNAUTHORIZED_ACCESS', 'Use https')),
    },
    {
      it: 'bodies of callers whom no one knows take all their memory',
      needs: 'proxied',
      async run(world) {
        hold(world, LARGEST_FORM - 1)
        hold(world, UNKNOWN_CALLERS_BYTES - LARGEST_FORM - 1)
        while ((await send(world, { ...upload, ...secure, as: 'proxied' })).status !== 503) await sleep(5)
      },
    },
    {
      ...upload,
      ...secure,
      it: 'and then there is none for others',
      status: 503,
      reply: legacy(130, 'Over capacity'),
    },
    {
      ...secure,
      it: 'and then there is none for others',
      send: 'POST /2/webhooks',
      form: { url: 'https://hooks.example.com/' },
      status: 503,
      reply: problem.plain(503, 'Service Unavailable'),
      type: 'application/problem+json; charset=utf-8',
    },
    {
      ...secure,
      it: 'and then there is none for others',
      send: 'POST {proxied_ads_url}/12/product_catalogs',
      form: { name: 'x' },
      status: 503,
      reply: ads.errors({}, ads.error('SERVICE_UNAVAILABLE', 'Service unavailable')),
    },
    {
      it: 'until they end',
      needs: 'proxied',
      async run() {
        const all = [...held]
        held.clear()
        for (const one of all) one.destroy()
      },
    },
  ],
}
