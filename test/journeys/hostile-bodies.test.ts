import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { customAudiences } from '../../src/api/ads/audiences/custom-audiences.ts'
import { Advertiser } from '../support/advertiser.ts'
import { catalogOf } from '../support/catalogs.ts'
import { Client, demoKeys } from '../support/client.ts'
import { bestWaitsBeside, MAX_WAIT_MS } from '../support/other-caller.ts'
import { startPlaza } from '../support/plaza.ts'
import { dial, heard, parsedReply, type RawReply } from '../support/raw-request.ts'
import { HOSTILE_BODIES, type HostileBody } from './hostile-bodies.corpus.ts'

const CHUNK_BYTES = 64 * 1024
/** A reply to an error repeats little of its request. */
const MAX_REPLY_BYTES = 32 * 1024

describe('hostile bodies', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let client: Client
  let bearer: string
  let ids: Readonly<Record<string, string>>
  before(async () => {
    plaza = await startPlaza({ rateLimits: 'off' })
    client = new Client(plaza)
    bearer = await client.bearer(demoKeys(plaza))
    const user = plaza.seeded?.users[0]?.id ?? ''
    const advertiser = await Advertiser.open(plaza.context, user)
    const audience = await advertiser.make(customAudiences, { name: 'Test audience' })
    const catalog = await catalogOf(plaza.context, user)
    ids = { account: advertiser.account.id, audience: audience.id, catalog }
  })
  after(async () => {
    await client.close()
    await plaza.close()
  })

  /** Sends a body in pieces, as from another machine, while others use the event loop. */
  async function send({ method, path, type }: HostileBody, content: Buffer): Promise<RawReply> {
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
    const origin = target.startsWith('/12/') ? plaza.urls.ads : plaza.urls.core
    const authorization = target.endsWith('/rules')
      ? `Bearer ${bearer}`
      : client.sign(method, origin + target, demoKeys(plaza))
    const socket = await dial(origin, plaza.caPem)
    const reply = heard(socket)
    socket.write(
      `${method} ${target} HTTP/1.1\r\nhost: ${new URL(origin).host}\r\nconnection: close\r\nauthorization: ${authorization}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${content.length}\r\n\r\n`,
    )
    for (let at = 0; at < content.length && socket.writable; at += CHUNK_BYTES) {
      if (!socket.write(content.subarray(at, at + CHUNK_BYTES)))
        await Promise.race([once(socket, 'drain'), reply])
      await nextTurn()
    }
    const parsed = parsedReply(await reply)
    socket.destroy()
    return parsed
  }

  const other = () => client.send('GET', '/2/webhooks', { headers: { authorization: `Bearer ${bearer}` } })

  for (const entry of HOSTILE_BODIES)
    test(`${entry.method} ${entry.path}, ${entry.type.slice(0, 40)}: ${entry.name}`, async () => {
      const content = entry.content()
      let reply: RawReply | undefined
      const waits = await bestWaitsBeside(async () => {
        reply = await send(entry, content)
      }, other)
      assert.ok(Math.max(waits.turnMs, waits.callMs) <= MAX_WAIT_MS, JSON.stringify(waits))
      assert.ok(reply && reply.status >= 200 && reply.status < 500, `${reply?.status} ${reply?.body}`)
      assert.ok(reply.body.length <= MAX_REPLY_BYTES, `${reply.body.length} bytes`)
    })
})
