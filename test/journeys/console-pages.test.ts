import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { webhooksOfApp } from '../../src/api/core/webhooks/queries.ts'
import { pageOfApps } from '../../src/identity/apps/queries.ts'
import { appOf } from '../../src/identity/tokens/credentials.ts'
import { Admin } from '../support/admin.ts'
import { Desk } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { assertAccessible, ConsoleBrowser, noBrowser, type Shown } from '../support/console-pages.ts'
import { png } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

// What people do on the pages that steer Plaza and show its data, and what a client sees of it.

/** Posts of several users about the same thing. */
const STORY = [
  'The Lighthouse of Skerryvore shines again after the storm',
  'Storm over: the Lighthouse of Skerryvore shines again tonight',
  'Keepers say the Lighthouse of Skerryvore shines again after repairs',
  'Sailors cheer as the Lighthouse of Skerryvore shines again',
  'Tonight the Lighthouse of Skerryvore shines again after the storm',
]

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
        const complaints = shown.complaints.filter((one) => !/status of 4(00|09)/.test(one))
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
          await assertAccessible(page, 'faults')
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
        await assertAccessible(page, 'snapshots')
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
          await webhooks
            .getByText('valid', { exact: true })
            .waitFor({ timeout: 30_000 })
            .catch(async (error: Error) => assert.fail(`${await webhooks.innerText()}\n${error.message}`))
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
          // A retry that was due may have come first.
          await region(page, 'Attempts').getByText('200').first().waitFor()
          assert.ok((await region(page, 'Attempts').getByRole('listitem').count()) >= 2)
          await page.getByText('Next attempt').waitFor({ state: 'detached' })
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

    test('a campaign is made, found below its account, and paused; its line item leads on', async () => {
      const account = opened.plaza.seeded?.accounts[0]
      assert.ok(account)
      await on(`/data/accounts/${account.id}`, async (page) => {
        const form = region(page, 'New campaign')
        await form.getByLabel('Name').fill('Made in the console')
        await form.getByLabel(/Daily budget/).fill('12.5')
        await form.getByRole('button', { name: 'Create' }).click()
        const row = rowWith(page, 'Made in the console')
        await row.getByText('12.50').waitFor()
        await assertAccessible(page, 'an account')
        await page.setViewportSize({ width: 360, height: 740 })
        await assertAccessible(page, 'an account on a small screen')
        await page.setViewportSize({ width: 1280, height: 860 })
        await page.getByLabel('Status of Made in the console').selectOption('active')
        await until('the campaign is active', async () => {
          const reply = await fetch(`${url}/admin/v1/accounts/${account.id}/campaigns?limit=200`)
          const { data } = (await reply.json()) as { data: { name: string; entity_status: string }[] }
          return data.find(({ name }) => name === 'Made in the console')?.entity_status === 'ACTIVE'
        })
        await row.getByRole('link', { name: 'Made in the console' }).click()
        await page.getByText('There are none yet.').waitFor()
        await page.getByRole('link', { name: `All of ${account.name}` }).click()
        await page.getByRole('tab', { name: 'Funding' }).click()
        await rowWith(page, String(account.fundingInstrumentIds[0])).waitFor()
      })
    })

    test('a space is scheduled, started and ended', async () => {
      const title = `Rivers ${Math.floor(performance.now())}`
      await on('/data/spaces', async (page) => {
        const form = region(page, 'New space')
        await form.getByLabel('Title').fill(title)
        await form.getByLabel('Host').fill('demo')
        await form.getByLabel('Starts').fill('+2h')
        await form.getByRole('button', { name: 'Create' }).click()
        await form.getByText('It is scheduled.').waitFor()
        const space = region(page, title)
        await space.getByRole('link', { name: '@demo' }).waitFor()
        await assertAccessible(page, 'a space')
        await space.getByRole('button', { name: 'Start now' }).click()
        await space.getByText('live', { exact: true }).waitFor()
        await space.getByRole('button', { name: 'End' }).click()
        await space.getByText('ended', { exact: true }).waitFor()
        assert.equal(await space.getByRole('button').count(), 0)
      })
    })

    test('a community is created with members, who post in it, and closed', async () => {
      const name = `Beekeepers ${Math.floor(performance.now())}`
      await on('/data/communities', async (page) => {
        const form = region(page, 'New community')
        await form.getByLabel('Name').fill(name)
        await form.getByLabel('Members').fill('demo')
        await form.getByRole('button', { name: 'Create' }).click()
        await form.getByText('Created.').waitFor()
        await region(page, name).getByRole('link', { name: '1 members' }).click()
        const post = region(page, 'New post')
        await post.getByLabel('Author').fill('demo')
        await post.getByLabel('Text').fill('The hive is full')
        await post.getByRole('button', { name: 'Publish' }).click()
        await page.getByRole('article').getByText('The hive is full').waitFor()
        await assertAccessible(page, 'a community')
        await page.getByRole('tab', { name: 'Members' }).click()
        await page.getByRole('link', { name: '@demo' }).waitFor()
        await page.getByLabel('Add a member').fill('advertiser')
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await page.getByRole('link', { name: '@advertiser' }).waitFor()
        await page.getByRole('tab', { name: 'Edit' }).click()
        await page.getByLabel('Access').selectOption('Closed')
        await page.getByRole('button', { name: 'Save' }).click()
        await region(page, 'About').getByText('closed', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('button', { name: 'Delete the community' }).click()
        await region(page, 'New community').waitFor()
        assert.equal(await region(page, name).count(), 0)
      })
    })

    test('news are built from posts of several users, and listed', async () => {
      for (const text of STORY) {
        const person = await Person.join(opened.plaza, client)
        assert.equal((await person.core('POST', '/2/posts', { text })).status, 201)
      }
      await on('/data/news', async (page) => {
        const story = page.getByRole('region', { name: /Lighthouse/ })
        // Stories are built from the posts that the consumers of events have handled.
        await until('the story is there', async () => {
          await page.getByRole('button', { name: 'Build now' }).click()
          await page.getByText(/New stories: /).waitFor()
          return story.isVisible()
        })
        await story.getByText(`${STORY.length} posts`).click()
        await story.getByRole('link').first().click()
        await page.getByRole('article').filter({ hasText: 'Lighthouse' }).first().waitFor()
      })
    })

    test('a note of an enrolled writer is listed, and rated', async () => {
      const writer = await Person.join(opened.plaza, client)
      const author = await Person.join(opened.plaza, client)
      const reader = await Person.join(opened.plaza, client)
      const posted = await author.core('POST', '/2/posts', { text: 'The bridge opened in 1952' })
      const { data } = posted.json as { data: { id: string } }
      await on(`/data/users/${writer.screenName}`, async (page) => {
        await page.getByRole('tab', { name: 'Edit' }).click()
        await page.getByLabel('Writes community notes').selectOption('regular')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Saved.').waitFor()
        const text = 'It opened in 1932: https://example.com/bridge'
        const written = await writer.core('POST', '/2/notes', {
          test_mode: false,
          post_id: data.id,
          info: { text, classification: 'not_misleading', misleading_tags: [], trustworthy_sources: true },
        })
        assert.equal(written.status, 200, written.text)
        await page.getByRole('link', { name: 'Notes', exact: true }).click()
        const note = page.getByRole('region').filter({ hasText: text }).last()
        await note.getByRole('link', { name: `@${writer.screenName}` }).waitFor()
        await note.getByLabel('Rate as the user').fill(reader.screenName)
        await note.getByLabel('The note is').selectOption('Not helpful')
        await note.getByRole('button', { name: 'Rate' }).click()
        await assertAccessible(page, 'a note')
        await note.getByText('Rated. Its status is minimum ratings not met.').waitFor()
      })
    })

    test('the explorer calls with an OAuth 2.0 token, as far as its scopes go', async () => {
      let posts = 0
      await on('/explorer/core/createPost', async (page) => {
        await page.getByLabel('Call as', { exact: true }).selectOption({ label: 'User (OAuth 2.0)' })
        await page.getByLabel('User', { exact: true }).fill('demo')
        await page.getByLabel('JSON body').fill(JSON.stringify({ text: `With a token ${posts++}` }))
        await page.getByRole('button', { name: 'Send' }).click()
        const reply = region(page, 'Reply')
        await reply.getByText(/^201\b/).waitFor()
        await reply.getByRole('tab', { name: 'Sent' }).click()
        await reply.getByText(/^Bearer \S*[*…]/).waitFor()
        await page.getByLabel('Scopes').fill('post.read users.read')
        await page.getByLabel('JSON body').fill(JSON.stringify({ text: `Without ${posts++}` }))
        await page.getByRole('button', { name: 'Send' }).click()
        await reply.getByText('403').waitFor()
      })
    })

    test('the explorer uploads a file', async () => {
      await on('/explorer/core/uploadMedium', async (page) => {
        await page.getByLabel('User', { exact: true }).fill('demo')
        await page
          .getByLabel('media', { exact: true })
          .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(20, 10) })
        const code = page.getByRole('region', { name: 'The call as code' })
        await page.getByRole('tab', { name: 'curl' }).click()
        assert.match(await code.innerText(), /-F media=@a\.png/)
        await page.getByRole('button', { name: 'Send' }).click()
        const reply = region(page, 'Reply')
        await reply.getByText('200', { exact: true }).waitFor()
        const body = await reply.getByRole('region', { name: 'Body of the reply' }).innerText()
        const { data } = JSON.parse(body) as { data: { image: object } }
        assert.deepEqual(data.image, { image_type: 'image/png', w: 20, h: 10 })
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

    test('a user is deleted after a second click, unless something would have no owner', async () => {
      const admin = new Admin(opened.plaza, client)
      const name = `gone${Math.floor(performance.now())}`
      await admin.call('POST', '/users', { screen_name: name, name: 'Gone Soon' })
      await on(`/data/users/${name}`, async (page) => {
        await page.getByRole('tab', { name: 'Edit' }).click()
        await page.getByRole('button', { name: 'Delete the user' }).click()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('button', { name: 'Delete the user' }).click()
        await page.getByRole('button', { name: `Delete @${name} and all that belongs to the user` }).click()
        await region(page, 'New user').waitFor()
        assert.equal(await page.getByText(`@${name}`).count(), 0)
      })
      assert.equal((await admin.wrong('GET', `/users/${name}`))[0], 404)
      await on(
        '/data/users/demo',
        async (page) => {
          await page.getByRole('tab', { name: 'Edit' }).click()
          await page.getByRole('button', { name: 'Delete the user' }).click()
          await page.getByRole('button', { name: 'Delete @demo and all that belongs to the user' }).click()
          await page.getByText(/^@demo owns the apps \d+/).waitFor()
        },
        1,
      )
      assert.equal((await admin.call('GET', '/users/demo')).screen_name, 'demo')
    })
  })
}

test('under a vocabulary, the pages of data show the same, by neutral names', {
  skip: noBrowser,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-console-words-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const vocabulary = join(folder, 'vocabulary.json')
  const words = { campaigns: 'drives', campaign: 'drive', entity: 'thing', posts: 'memos', post: 'memo' }
  await writeFile(vocabulary, JSON.stringify({ words }))
  const plaza = await startPlaza({ vocabulary, seed: 'demo' }, { usesOwnClock: true })
  t.after(() => plaza.close())
  const browser = await ConsoleBrowser.open()
  t.after(() => browser.close())
  const account = plaza.seeded?.accounts[0]
  assert.ok(account)
  const { page, complaints } = await browser.show(`${plaza.urls.console}/data/accounts/${account.id}`)
  const form = page.getByRole('region', { name: 'New campaign' })
  await form.getByLabel('Name').fill('Renamed')
  await form.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Renamed' })
  await row.getByText('10.00').waitFor()
  await page.getByLabel('Status of Renamed').waitFor()
  for (const [path, heading] of [
    ['/data/news', 'News'],
    ['/data/communities', 'Communities'],
    ['/data/spaces', 'Spaces'],
    ['/data/notes', 'Notes'],
    ['/data/users/demo', 'Demo Developer'],
  ] as const) {
    await page.goto(plaza.urls.console + path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByText('Loading').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alert').count(), 0, path)
  }
  await page.goto(`${plaza.urls.console}/explorer/core/createPost`)
  await page.getByText('/2/memos', { exact: true }).waitFor()
  await page.getByLabel('JSON body').fill('{"text":"A memo"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page
    .getByRole('region', { name: 'Reply', exact: true })
    .getByText(/^201\b/)
    .waitFor()
  assert.deepEqual(complaints, [])
})
