import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { webhooksOfApp } from '../../src/api/core/webhooks/queries.ts'
import { pageOfApps } from '../../src/identity/apps/queries.ts'
import { appOf } from '../../src/identity/tokens/credentials.ts'
import { Desk } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { ConsoleBrowser, noBrowser, type Shown } from '../support/console-pages.ts'
import { Person } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

// What people do on the pages that steer Plaza and show its data, and what a client sees of it.

for (const stage of stages) {
  describe(`the pages of the console on ${stage.name}`, { skip: noBrowser || stage.skip }, () => {
    let opened: Opened
    let client: Client
    let browser: ConsoleBrowser
    let url: string
    before(async () => {
      opened = await stage.open(
        { shutdownSeconds: 1, seed: 'demo' },
        { usesOwnClock: true, backgroundTasks: true, backgroundDeliveries: true },
      )
      client = new Client(opened.plaza)
      url = opened.plaza.urls.console
      browser = await ConsoleBrowser.open()
    })
    after(async () => {
      await browser?.close()
      await client?.close()
      await opened?.close()
    })

    /**
     * Shows a page while `use` runs, which must leave no complaint of the browser but those about
     * calls that it has rejected.
     */
    async function on(path: string, use: (page: Page) => Promise<void>, rejected = 0) {
      const shown: Shown = await browser.show(url + path)
      try {
        await use(shown.page)
        const complaints = shown.complaints.filter((one) => !one.includes('status of 400'))
        assert.deepEqual([complaints, shown.complaints.length], [[], rejected])
      } finally {
        await shown.close()
      }
    }
    const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
    const rowWith = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

    test('a fault is added by the form, met by a client, counted, and removed', async () => {
      const person = await Person.join(opened.plaza, client)
      const post = async () => (await person.core('POST', '/2/posts', { text: `Post ${++posts}` })).status
      let posts = 0
      await on(
        '/faults',
        async (page) => {
          await page.getByText('Nothing fails on purpose.').waitFor()
          const form = region(page, 'New rule')
          await form.getByLabel('Endpoint').fill('POST /2/posts')
          await form.getByLabel('Status').fill('503')
          await form.getByText('Conditions').click()
          await form.getByLabel('Only the first').fill('2')
          await form.getByRole('button', { name: 'Add' }).click()
          const row = rowWith(page, 'POST /2/posts')
          await row.waitFor()
          assert.deepEqual([await post(), await post(), await post()], [503, 503, 201])
          await rowWith(page, /times 2\s*3\s*2/).waitFor()
          assert.equal((await person.core('GET', '/2/users/me')).status, 200, 'other endpoints answer')

          await form.getByLabel('Fault').selectOption({ label: 'Exhausted rate limit' })
          assert.equal(await form.getByLabel('Status').count(), 0, 'this fault has no status')
          await form.getByLabel('Endpoint').fill('GET /2/users/me')
          await form.getByRole('button', { name: 'Add' }).click()
          await rowWith(page, 'Exhausted rate limit').waitFor()
          assert.equal((await person.core('GET', '/2/users/me')).status, 429)

          await form.getByLabel('Fault').selectOption({ label: 'Error reply' })
          await form.getByLabel('Status').fill('418')
          await form.getByRole('button', { name: 'Add' }).click()
          await form.getByRole('alert').getByText('418').waitFor()
          await page.getByRole('button', { name: 'Remove the rule 2' }).click()
          await rowWith(page, 'Exhausted rate limit').waitFor({ state: 'detached' })
          assert.equal((await person.core('GET', '/2/users/me')).status, 200)
          await page.getByRole('button', { name: 'Remove all' }).click()
          await page.getByRole('button', { name: 'Cancel' }).click()
          await page.getByRole('button', { name: 'Remove all' }).click()
          await page.getByRole('button', { name: 'Remove all rules' }).click()
          await page.getByText('Nothing fails on purpose.').waitFor()
        },
        1,
      )
    })

    test('data is saved, changed, restored, exported, imported and reset', async (t) => {
      if (stage.shared) return t.skip('There are no snapshots here.')
      const person = await Person.join(opened.plaza, client)
      const post = async (text: string) => {
        const reply = await person.core('POST', '/2/posts', { text })
        assert.equal(reply.status, 201, reply.text)
        return (reply.json as { data: { id: string } }).data.id
      }
      const isThere = async (id: string) => {
        const { json } = await person.core('GET', `/2/posts/${id}`)
        return (json as { data?: object }).data !== undefined
      }
      const before = await post('Before')
      await on('/snapshots', async (page) => {
        await region(page, 'Save').getByLabel('Name').fill('one')
        await region(page, 'Save').getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved one.').waitFor()
        const later = await post('After')
        await rowWith(page, 'one').getByRole('button', { name: 'Restore' }).click()
        await page.getByText('Restored one.').waitFor()
        assert.deepEqual([await isThere(before), await isThere(later)], [true, false])

        const downloading = page.waitForEvent('download')
        await page.getByRole('link', { name: 'Export one' }).click()
        const file = await (await downloading).path()
        assert.ok((await readFile(file)).length > 10_000)
        await rowWith(page, 'one').getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('button', { name: 'Delete one' }).click()
        await page.getByText('Nothing is saved yet.').waitFor()
        await page.getByLabel('Exported file').setInputFiles(file)
        await page.getByRole('button', { name: 'Import' }).click()
        await page.getByText('Imported one.').waitFor()
        const last = await post('Last')
        await rowWith(page, 'one').getByRole('button', { name: 'Restore' }).click()
        await page.getByText('Restored one.').waitFor()
        assert.deepEqual([await isThere(before), await isThere(last)], [true, false])

        await page.getByRole('button', { name: 'Reset to the seed' }).click()
        await page.getByRole('button', { name: 'Replace all data by the seed' }).click()
        await page.getByText('The data is as after the first start.').waitFor()
        assert.equal((await person.core('GET', '/2/users/me')).status, 401, 'the user is not of the seed')
        await rowWith(page, 'one').waitFor()
      })
    })

    test('a scheduled post appears when the clock is advanced', async () => {
      const desk = await Desk.open(opened.plaza, client)
      const nowMs = opened.plaza.context.clock.now()
      const scheduled = await desk.post('/scheduled_posts', {
        text: 'It is tomorrow',
        scheduled_at: new Date(nowMs + 86_400_000).toISOString(),
        nullcast: 'false',
      })
      assert.equal(scheduled.status, 201, scheduled.text)
      await on(`/data/users/${desk.person.screenName}`, async (page) => {
        await page.getByText('No post yet.').waitFor()
        await page.getByRole('link', { name: 'Clock', exact: true }).click()
        await page.getByRole('button', { name: 'Freeze' }).click()
        await page.getByText('The clock stands still.').waitFor()
        await page.getByRole('button', { name: '+1d' }).click()
        await page.getByText('Advanced by 1d. Everything that became due is done.').waitFor()
        await page.goBack()
        await page.getByRole('article').filter({ hasText: 'It is tomorrow' }).waitFor()
        await page.goForward()
        await page.getByRole('button', { name: 'Resume' }).click()
        await page.getByText('The clock goes on.').waitFor()
      })
    })

    test('a failed delivery shows its attempts and when the next is due, and is sent again', async () => {
      const user = opened.plaza.seeded?.users[0]
      const [row] = await opened.plaza.context.store.all(pageOfApps, { after: '', limit: 1 })
      assert.ok(row)
      const receiver = await startReceiver(appOf(row, opened.plaza.context.sealer).consumerSecret)
      try {
        await on('/webhooks', async (page) => {
          const webhooks = region(page, 'Webhooks')
          await webhooks.getByLabel('URL').fill(receiver.url)
          await webhooks.getByRole('button', { name: 'Register' }).click()
          await webhooks.getByText('valid', { exact: true }).waitFor()
          const all = await opened.plaza.context.store.all(webhooksOfApp, { appId: row.id })
          const created = await fetch(`${url}/admin/v1/apps/${row.id}/activity_subscriptions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              event_type: 'profile.update.bio',
              filter: { user_id: user?.id },
              webhook_id: String(all.at(-1)?.id),
            }),
          })
          assert.equal(created.status, 201, await created.text())
          receiver.answerWith((_, response) => response.writeHead(502).end('Not today'))

          const emit = region(page, 'Emit an event')
          await emit.getByLabel('Event type').selectOption('profile.update.bio')
          assert.equal(await emit.getByLabel('App id').count(), 0)
          assert.equal(await emit.getByLabel('Text in which keywords are searched').count(), 0)
          await emit.getByLabel('User').fill('demo')
          await emit.getByRole('button', { name: 'Emit' }).click()
          await emit.getByText('Emitted profile.update.bio').waitFor()
          const delivery = region(page, 'Deliveries').getByRole('link', { name: /pending .*1 attempt/ })
          await delivery.first().click()
          await page.getByText('Not today', { exact: true }).waitFor()
          await page.getByText('Next attempt').waitFor()
          await region(page, 'Attempts').getByText('502').waitFor()
          receiver.accept()
          await page.getByRole('button', { name: 'Send again' }).click()
          await region(page, 'Attempts').getByText('200').waitFor()
          assert.equal(await region(page, 'Attempts').getByRole('listitem').count(), 2)
          assert.equal(await page.getByText('Next attempt').count(), 0)
          assert.ok(receiver.deliveries.every(({ trusted }) => trusted))
        })
      } finally {
        await receiver.close()
      }
    })

    test('a line of a stream says which rule it matches, and what the rule asks for', async () => {
      const person = await Person.join(opened.plaza, client)
      let posts = 0
      await on('/streams', async (page) => {
        const rules = region(page, 'Rules')
        for (const [query, tag] of [
          ['kingfisher', 'blue'],
          ['pelican', 'white'],
        ] as const) {
          await rules.getByLabel('Query').fill(query)
          await rules.getByLabel('Tag').fill(tag)
          await rules.getByRole('button', { name: 'Add' }).click()
          await rules.getByRole('listitem').filter({ hasText: query }).waitFor()
        }
        await page.getByRole('button', { name: 'Open', exact: true }).click()
        await page.getByText('The stream is open.').waitFor()
        const live = region(page, 'Live')
        const line = live.getByRole('listitem').filter({ hasText: 'A kingfisher' }).first()
        await until('a post arrives on the stream', async () => {
          const text = `A kingfisher ${++posts}`
          assert.equal((await person.core('POST', '/2/posts', { text })).status, 201)
          return line.isVisible()
        })
        assert.match(await line.innerText(), /Matches\s+blue\s+kingfisher/)
        assert.doesNotMatch(await line.innerText(), /pelican/)
        await page.getByRole('button', { name: 'Close' }).click()
        for (const query of ['kingfisher', 'pelican'])
          await page.getByRole('button', { name: `Delete the rule ${query}` }).click()
        await page.getByText('The app has no rule.').waitFor()
      })
    })

    test('a user is made, followed, suspended, and answers with 401', async () => {
      const name = `made${Math.floor(performance.now())}`
      await on('/data/users', async (page) => {
        const form = region(page, 'New user')
        await form.getByLabel('Screen name').fill(name)
        await form.getByLabel('Name', { exact: true }).fill('Made Here')
        await form.getByRole('button', { name: 'Create' }).click()
        await form.getByText(`Created @${name}.`).waitFor()
        assert.match(await form.locator('code').innerText(), /^\S{12,}$/)
        await page.getByRole('button', { name: 'Open the profile' }).click()
        await page.getByRole('heading', { level: 1, name: 'Made Here' }).waitFor()
        await page.getByLabel('Text').fill('My first post')
        await page.getByRole('button', { name: 'Publish' }).click()
        const post = page.getByRole('article').filter({ hasText: 'My first post' })
        await post.waitFor()
        await post.getByRole('button', { name: 'Delete the post' }).click()
        await page.getByText('No post yet.').waitFor()
        await page.getByRole('tab', { name: 'Following' }).click()
        await page.getByRole('textbox', { name: 'Follow' }).fill('demo')
        await page.getByRole('button', { name: 'Follow', exact: true }).click()
        await page.getByRole('link', { name: '@demo' }).waitFor()
        await page.getByRole('tab', { name: 'Edit' }).click()
        await page.getByLabel('Description').fill('Lives in a test')
        await page.getByLabel('Suspended').check()
        await page.getByRole('button', { name: 'Save' }).click()
        await region(page, 'Profile').getByText('suspended').waitFor()
        await region(page, 'Profile').getByText('Lives in a test').waitFor()
      })
      const asked = await client.send('GET', `/2/users/by/username/${name}`)
      assert.equal(asked.status, 401)
    })
  })
}
