import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { runPlaza, smallSeedFlag, startCli, temporaryFolder } from './cli.fixture.ts'

const MEMO = { words: { post: 'memo', posts: 'memos' } }
const NOTICE = { words: { post: 'notice', posts: 'notices' } }

for (const stage of stages) {
  describe(`a vocabulary that is read again on ${stage.name}`, { skip: stage.skip }, () => {
    let folder: string
    let file: string
    let opened: Opened
    let client: Client
    let admin: Admin
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plaza-words-'))
      file = join(folder, 'vocabulary.json')
      await writeFile(file, JSON.stringify(MEMO))
      opened = await stage.open({ vocabulary: file, rateLimits: 'off' }, { usesOwnClock: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const keys = () => demoKeys(opened.plaza)
    const send = (method: string, path: string, json?: object) =>
      client.signed(method, opened.plaza.urls.core + path, keys(), json === undefined ? {} : { json })
    const publish = async (path: string, text: string) => {
      const reply = await send('POST', path, { text })
      assert.equal(reply.status, 201, reply.text)
      return (reply.json as { data: { id: string } }).data.id
    }

    test('names everything from then on, with the same data, ids and keys', async () => {
      const first = await publish('/2/memos', 'One')
      await admin.call('POST', '/posts', { author: 'demo', text: 'A quokka', created_at: '-1h' })
      await until('it is found', async () => {
        const found = await send('GET', '/2/memos/search/recent?query=quokka')
        return (found.json as { meta: { result_count: number } }).meta.result_count === 1
      })
      await writeFile(file, JSON.stringify(NOTICE))
      assert.equal((await send('GET', `/2/memos/${first}`)).status, 200, 'nothing changes by itself')
      assert.deepEqual(await admin.call('POST', '/vocabulary/reload'), { reloaded: true })
      assert.equal((await send('GET', `/2/memos/${first}`)).status, 404)
      const shown = await send('GET', `/2/notices/${first}?notice.fields=edit_history_notice_ids`)
      assert.deepEqual((shown.json as { data: object }).data, {
        id: first,
        text: 'One',
        edit_history_notice_ids: [first],
      })
      const second = await publish('/2/notices', 'Two')
      assert.ok(BigInt(second) > BigInt(first))
      const found = await send('GET', '/2/notices/search/recent?query=quokka')
      assert.equal((found.json as { meta: { result_count: number } }).meta.result_count, 1)
      const document = await client.send('GET', `${opened.plaza.urls.console}/reference/core.json`)
      assert.ok(document.text.includes('"/2/notices/{id}"'), document.text.slice(0, 200))
    })

    test('stays as it was if its file has a mistake, or names or paths that collide', async () => {
      for (const [text, says] of [
        ['{', /vocabulary\.json/],
        [JSON.stringify({ words: { pots: 'memo' } }), /pots/],
        [JSON.stringify({ identifiers: { max_results: 'pagination_token' } }), /calls both/],
        [
          JSON.stringify({ paths: { '/2/posts/{id}': ['/2/posts/{id}', '/2/users/by/username/{id}'] } }),
          /gives both GET \/2\/\S+ and GET \/2\/\S+ the path GET \/2\/users\/by\/username\/\{/,
        ],
      ] as const) {
        await writeFile(file, text)
        const [status, explained] = await admin.wrong('POST', '/vocabulary/reload')
        assert.equal(status, 409)
        assert.match(explained, says)
      }
      await publish('/2/notices', 'Three')
    })
  })
}

test('a command has the vocabulary of a Plaza in memory read again, and says what is wrong', async (t) => {
  const file = join(temporaryFolder(t), 'vocabulary.json')
  await writeFile(file, JSON.stringify(MEMO))
  const { readyPath, ready } = await startCli(t, {
    args: ['--memory', smallSeedFlag(t), `--vocabulary=${file}`],
  })
  await writeFile(file, JSON.stringify(NOTICE))
  const reload = () => runPlaza(t, ['vocabulary', 'reload', `--ready-file=${readyPath}`])
  const { code, stdout } = await reload()
  assert.deepEqual([code, stdout], [0, 'Plaza has read its vocabulary again.\n'])
  const document = await (await fetch(`${ready.console_url}/reference/core.json`)).text()
  assert.ok(document.includes('"/2/notices/{id}"'))
  await writeFile(file, '{')
  const wrong = await reload()
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^plaza: .*vocabulary\.json/)
  const other = await startCli(t, { args: ['--memory', smallSeedFlag(t)] })
  const without = await runPlaza(t, ['vocabulary', 'reload', `--ready-file=${other.readyPath}`])
  assert.deepEqual([without.code, without.stderr], [1, 'plaza: Plaza was started without --vocabulary.\n'])
})
