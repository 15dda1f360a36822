import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from '../support/client.ts'
import { png, uploaded } from '../support/media.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

for (const stage of stages) {
  describe(`alternative texts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client.close()
      await opened.close()
    })

    test('the owner of a medium describes it, before and after a post shows it', async () => {
      const [ada, bob] = [await Person.join(opened.plaza, client), await Person.join(opened.plaza, client)]
      const { id } = await uploaded(opened.plaza.context, ada.id, png(10, 10))
      const metadata = (text: string) => ({ id, metadata: { alt_text: { text } } })
      const first = await ada.core('POST', '/2/media/metadata', metadata('A square'))
      assert.deepEqual(
        [first.status, first.json],
        [200, { data: { id, associated_metadata: { alt_text: { text: 'A square' } } } }],
      )
      const made = await ada.core('POST', '/2/posts', { media: { media_ids: [id] } })
      assert.equal(made.status, 201, made.text)
      const post = (made.json as { data: { id: string } }).data.id
      const shown = async () => {
        const fields = 'expansions=attachments.media_keys&media.fields=alt_text'
        const { json } = await bob.core('GET', `/2/posts/${post}?${fields}`)
        return (json as { includes: { media: { alt_text?: string }[] } }).includes.media[0]?.alt_text
      }
      assert.equal(await shown(), 'A square')
      const foreign = await bob.core('POST', '/2/media/metadata', metadata('Mine'))
      assert.equal(foreign.status, 400, foreign.text)
      const legacy = { media_id: id, alt_text: { text: 'x'.repeat(1000) } }
      assert.equal((await ada.core('POST', '/1.1/media/metadata/create.json', legacy)).status, 204)
      assert.equal(await shown(), 'x'.repeat(1000))
      // Other members of the public description change nothing.
      for (const others of [
        { metadata: { sensitive_media_warning: { other: true }, upload_source: { upload_source: 'a' } } },
        { metadata: { preview_image: { media_key: {} }, sticker_info: { stickers: [] } } },
        {},
      ]) {
        const reply = await ada.core('POST', '/2/media/metadata', { id, ...others })
        assert.deepEqual([reply.status, reply.json], [200, { data: { id, associated_metadata: {} } }])
      }
      const both = { alt_text: { text: 'Both' }, allow_download_status: { allow_download: true } }
      const reply = await ada.core('POST', '/2/media/metadata', { id, metadata: both })
      assert.deepEqual(reply.json, { data: { id, associated_metadata: { alt_text: { text: 'Both' } } } })
      assert.equal(await shown(), 'Both')
      const unknown = await ada.core('POST', '/2/media/metadata', { id, metadata: { colour: 'red' } })
      assert.equal(unknown.status, 400, unknown.text)
      await ada.core('POST', '/2/media/metadata', metadata(''))
      assert.equal(await shown(), undefined)
    })
  })
}
