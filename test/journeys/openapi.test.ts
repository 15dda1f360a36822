import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'

interface Document {
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string }>>
}

describe('the OpenAPI document of the core API', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-openapi-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const documentOf = async (path: string, config: object = {}): Promise<Document> => {
    const plaza = await startPlaza({ seed: 'none', ...config })
    const client = new Client(plaza)
    try {
      const reply = await client.send('GET', path)
      assert.deepEqual(
        [reply.status, reply.headers['content-type']],
        [200, 'application/json; charset=utf-8'],
      )
      const again = await client.send('GET', path)
      assert.equal(again.text, reply.text)
      const document = reply.json as Document
      assert.equal(document.servers[0]?.url, plaza.urls.core)
      return document
    } finally {
      await client.close()
      await plaza.close()
    }
  }

  test('is for everyone, has the version of the API, and describes itself', async () => {
    const { info, paths } = await documentOf('/2/openapi.json')
    assert.equal(info.version, '2.166')
    assert.equal(paths['/2/openapi.json']?.get?.operationId, 'getOpenApiDocument')
    assert.equal(paths['/2/lists/{id}/posts']?.get?.operationId, 'readListTimeline')
    assert.equal(paths['/admin/v1/lists'], undefined)
  })

  test('has the names of the vocabulary in force', async () => {
    const vocabulary = join(folder, 'vocabulary.json')
    await writeFile(vocabulary, JSON.stringify({ words: { post: 'memo', posts: 'memos' } }))
    const { paths } = await documentOf('/2/openapi.json', { vocabulary })
    assert.ok(paths['/2/lists/{id}/memos'])
    assert.equal(paths['/2/lists/{id}/posts'], undefined)
  })
})
