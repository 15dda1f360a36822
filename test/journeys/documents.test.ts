import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { currentIdentities } from '../../src/app/cli/identities.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import { openApi } from '../../src/app/openapi/openapi.ts'
import type { Plaza } from '../../src/app/server.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { inDocument, type OpenApiDocument, responseOf } from '../support/document.ts'
import { mp4, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'

const document = openApi('core', endpoints, { version: '1' }) as unknown as OpenApiDocument
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', components: document.components })

/** Fails when the document does not declare the status, the content type or the body of a reply. */
function declared(reply: Reply, path: string, method: string): void {
  const response = responseOf(document, { method, path, status: reply.status })
  assert.ok(response, `${method} ${path} does not declare ${reply.status}`)
  if (!response.content) {
    assert.equal(reply.text, '')
    return
  }
  const [type = ''] = String(reply.headers['content-type']).split(';')
  const body = response.content[type]
  assert.ok(body, `${reply.status} of ${path} does not declare ${type}`)
  assert.ok(ajv.validate(inDocument(body.schema), reply.json), ajv.errorsText())
}

describe('documents and replies agree', () => {
  let plaza: Plaza
  let client: Client
  before(async () => {
    plaza = await startPlaza()
    client = new Client(plaza)
  })
  after(async () => {
    await client?.close()
    await plaza?.close()
  })

  test('each step of a media upload is declared, with its body', async () => {
    const path = '/1.1/media/upload.json'
    const send = async (form: Record<string, string>, status: number) => {
      const reply = await client.signed('POST', plaza.urls.core + path, demoKeys(plaza), { form })
      assert.equal(reply.status, status, reply.text)
      declared(reply, path, 'post')
      return reply
    }
    await send({ media_data: png(40, 30).toString('base64') }, 200)
    const video = mp4(1280, 720, { bytes: 20_000 })
    const begun = await send(
      {
        command: 'INIT',
        total_bytes: String(video.length),
        media_type: 'video/mp4',
        media_category: 'post_video',
      },
      202,
    )
    const { media_id_string: media_id } = begun.json as { media_id_string: string }
    assert.match(begun.text, new RegExp(`"media_id":${media_id},`))
    const segment = { command: 'APPEND', media_id, segment_index: '0', media_data: video.toString('base64') }
    await send(segment, 204)
    await send({ command: 'FINALIZE', media_id }, 201)
  })

  test('the example of an upload shows one id in both of its types', () => {
    const response = responseOf(document, { method: 'post', path: '/1.1/media/upload.json', status: 200 })
    const example = response?.content?.['application/json']
    assert.ok(example)
    const { media_id, media_id_string } = example.example as Record<string, unknown>
    assert.deepEqual([media_id, media_id_string], [1_900_000_000_000_000_000, '1900000000000000000'])
  })
})

test('the ready file has an advertiser with ADMIN rights on the accounts, and its token', async () => {
  const plaza = await startPlaza()
  const client = new Client(plaza)
  try {
    const { app, user, advertiser, accounts } = await currentIdentities(plaza.context)
    assert.ok(
      app && user && advertiser?.access_token && advertiser.access_token_secret && advertiser.password,
    )
    assert.deepEqual([user.screen_name, advertiser.screen_name], ['demo', 'advertiser'])
    const keys = {
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      token: advertiser.access_token,
      tokenSecret: advertiser.access_token_secret,
    }
    for (const { id, environment } of accounts) {
      const origin = environment === 'sandbox' ? plaza.urls.adsSandbox : plaza.urls.ads
      const { json } = await client.signed(
        'GET',
        `${origin}/12/accounts/${id}/authenticated_user_access`,
        keys,
        {},
      )
      const { permissions } = (json as { data: { permissions: string[] } }).data
      assert.ok(permissions.includes('ACCOUNT_ADMIN'), permissions.join())
    }
  } finally {
    await client.close()
    await plaza.close()
  }
})
