import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withInstallation } from '../../src/app/cli/installation.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000

// The clock of the server stands still, so that it does not poll: only what a command tells it
// makes it look.
for (const stage of stages.filter(({ name }) => name !== 'SQLite in memory')) {
  describe(`what commands change beside a server on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let headers: { authorization: string }
    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      headers = { authorization: `Bearer ${await client.bearer(demoKeys(opened.plaza))}` }
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    /** Runs what a command does, with a store of its own. */
    const command = (work: (store: Store) => Promise<unknown>) =>
      withInstallation(opened.plaza.context.config, ({ store }) => work(store))
    const found = async (query: string) => {
      const [posts, counts] = await Promise.all([
        client.send('GET', `/2/posts/search/recent?query=${query}`, { headers }),
        client.send('GET', `/2/posts/counts/recent?query=${query}`, { headers }),
      ])
      const { meta: searched } = posts.json as { meta: { result_count: number } }
      const { meta: counted } = counts.json as { meta: { total_post_count: number } }
      return [searched.result_count, counted.total_post_count]
    }
    const finds = (query: string, number: number) =>
      until(`${number} found`, async () => (await found(query)).every((one) => one === number))

    test('posts of an author who becomes protected are neither found nor counted, until the author is public again', async () => {
      const keys = demoKeys(opened.plaza)
      const posted = await client.signed('POST', '/2/posts', keys, { json: { text: 'a quokka' } })
      assert.equal(posted.status, 201)
      const me = await client.signed('GET', '/2/users/me', keys)
      const { id } = (me.json as { data: { id: string } }).data
      opened.plaza.clock.advance(MINUTE_MS)
      await finds('quokka', 1)
      for (const [isProtected, number] of [
        [1, 0],
        [0, 1],
      ] as const) {
        await command((store) => store.write((tx) => updateProfile(tx, id, { protected: isProtected })))
        await finds('quokka', number)
      }
    })

    test('a commit of a command that notifies a channel calls every listener of the server', async () => {
      const { store } = opened.plaza.context
      const heard = new Set<string>()
      const listening = ['one', 'other'].map((channel) => store.listen(channel, () => heard.add(channel)))
      await command((own) => own.write(async (tx) => tx.notify('one')))
      // The channels are not known to other processes: all listeners look.
      await until('both listeners are called', () => heard.size === 2)
      for (const one of listening) one[Symbol.dispose]()
    })
  })
}
