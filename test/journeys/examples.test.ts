import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { Visitor } from '../support/visitor.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A port that no one listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('the examples', () => {
  let folder: string
  let port: number
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let environment: NodeJS.ProcessEnv

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-examples-'))
    port = await freePort()
    const seed = {
      users: [{ screen_name: 'reader', name: 'Reader', password: 'a password of some length' }],
      apps: [
        {
          name: 'Example',
          website: 'https://example.test/',
          owner: 'reader',
          callbacks: [`http://127.0.0.1:${port}/callback`],
          permission: 'read-write',
          kind: 'web',
          sign_in: true,
          grants: [{ user: 'reader', access: 'read-write' }],
        },
      ],
    }
    await writeFile(join(folder, 'seed.json'), JSON.stringify(seed))
    plaza = await startPlaza(
      { data: join(folder, 'data'), seed: join(folder, 'seed.json') },
      { clock: systemClock },
    )
    const app = plaza.seeded?.apps[0]
    const user = plaza.seeded?.users[0]
    const grant = app?.grants[0]
    assert.ok(app && user && grant)
    const ready = {
      core_url: plaza.urls.core,
      ads_sandbox_url: plaza.urls.adsSandbox,
      app: { consumer_key: app.consumerKey, consumer_secret: app.consumerSecret },
      user: {
        id: user.id,
        screen_name: user.screenName,
        password: user.password,
        access_token: grant.token,
        access_token_secret: grant.secret,
      },
    }
    await writeFile(join(folder, 'ready.json'), JSON.stringify(ready))
    environment = { PATH: '', NODE_EXTRA_CA_CERTS: plaza.caFile, CALLBACK_PORT: String(port) }
  })
  after(async () => {
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  })

  function run(name: string) {
    const child = spawn(process.execPath, [join(ROOT, 'examples', name), join(folder, 'ready.json')], {
      env: environment,
    })
    const printed = { text: '' }
    child.stdout.on('data', (chunk) => {
      printed.text += chunk
    })
    child.stderr.on('data', (chunk) => {
      printed.text += chunk
    })
    return { child, printed }
  }

  test('sign-in.mjs signs a user in and calls for them', async () => {
    const { child, printed } = run('sign-in.mjs')
    while (!/oauth_token=\S+/.test(printed.text)) await once(child.stdout, 'data')
    const url = /https:\S+oauth_token=\S+/.exec(printed.text)?.[0] as string
    const client = new Client(plaza)
    const user = plaza.seeded?.users[0]
    assert.ok(user)
    const reply = await new Visitor(client).answer(url, user, 'approve')
    await (await fetch(reply.headers.location as string)).text()
    await once(child, 'exit')
    await client.close()
    assert.match(printed.text, /Signed in: @reader/)
    assert.match(printed.text, /GET \/2\/webhooks: \{"data":\[\],"meta":\{"result_count":0\}\}/)
  })

  test('campaign.mjs builds a campaign that can be shown', async () => {
    const { child, printed } = run('campaign.mjs')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, printed.text)
    const statuses = [...printed.text.matchAll(/^([0-9]{3}) /gm)].map(([, status]) => status)
    assert.deepEqual(
      statuses,
      ['201', '201', '201', '200', '200', '201', '201', '201', '200', '400', '200', '200'],
      printed.text,
    )
    assert.match(printed.text, /"servable":true,"effective_status":"RUNNING"/)
    assert.match(printed.text, /"changes":\{"entity_status":\{"before":"ACTIVE","after":"PAUSED"\}\}/)
  })

  test('creatives.mjs fills a campaign with products, people and pictures', async () => {
    const { child, printed } = run('creatives.mjs')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, printed.text)
    assert.doesNotMatch(printed.text, /^[45]/m)
    for (const line of [
      '"id":"c1","status":"CREATE_SUCCESS","errors":[]',
      '"id":"c3","status":"ERROR"',
      '"processing_status":"DONE","products":1',
      '"success_count":120,"total_count":120',
      '"targetable":true,"audience_size":120',
      '"image":{"image_type":"image/png","w":800,"h":800}',
      '"card_type":"IMAGE_WEBSITE"',
      '"scheduled_status":"SCHEDULED"',
    ])
      assert.ok(printed.text.includes(line), `${line} in\n${printed.text}`)
  })

  test('errors.mjs is rejected everything that it tries', async () => {
    const { child, printed } = run('errors.mjs')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0, printed.text)
    const statuses = [...printed.text.matchAll(/^([0-9]{3}) {2}(.*)$/gm)].map(
      ([, status, what]) => `${status} ${what}`,
    )
    assert.equal(statuses.length, 28, printed.text)
    assert.deepEqual(
      statuses.filter((line) => !line.startsWith('4')),
      [],
    )
    assert.match(printed.text, /"code":89/)
    assert.match(printed.text, /"code":415/)
  })
})
