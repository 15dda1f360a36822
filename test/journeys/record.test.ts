import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetch, ProxyAgent } from 'undici'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { runPlaza, spawnPlaza, startCli, temporaryFolder, until } from './cli.fixture.ts'

// A real service is another Plaza, which the proxy knows by its URL and its authority alone.

interface Har {
  log: {
    entries: {
      request: { method: string; url: string; headers: { name: string; value: string }[] }
      response: { status: number; content: { text?: string } }
    }[]
  }
}

test('what passes is recorded without secrets, and compared with the running Plaza', async (t) => {
  const folder = temporaryFolder(t)
  const service = await startPlaza()
  t.after(() => service.close())
  const client = new Client(service)
  t.after(() => client.close())
  const ca = join(folder, 'service.pem')
  writeFileSync(ca, service.caPem ?? '')
  const out = join(folder, 'recorded.har')
  const upstream = service.urls.core
  const proxy = spawnPlaza(t, [
    'record',
    `--upstream=${upstream}`,
    `--upstream-ca=${ca}`,
    `--out=${out}`,
    '--json',
  ])
  const line = await until(proxy, 'the address', () => /^\{.*\}$/m.exec(proxy.stdout())?.[0])
  const { url, ca_file } = JSON.parse(line) as { url: string; ca_file: string }

  // As an HTTPS proxy: the client signs the address of the service.
  const keys = demoKeys(service)
  const agent = new ProxyAgent({ uri: url, requestTls: { ca: readFileSync(ca_file, 'utf8') } })
  t.after(() => agent.close())
  const through = async (method: string, path: string, authorization: string, json?: object) => {
    const reply = await fetch(upstream + path, {
      method,
      dispatcher: agent,
      headers: { authorization, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    })
    return { status: reply.status, text: await reply.text() }
  }
  const me = await through('GET', '/2/users/me', client.sign('GET', '/2/users/me', keys))
  assert.equal(me.status, 200, me.text)
  const text = { text: 'Recorded for another Plaza' }
  const posted = await through('POST', '/2/posts', client.sign('POST', '/2/posts', keys), text)
  assert.equal(posted.status, 201, posted.text)
  await assert.rejects(
    fetch('https://elsewhere.example.com/', { dispatcher: agent }),
    'a tunnel to another host',
  )

  // In place of the service: a bearer does not depend on the address.
  const bearer = await client.bearer(keys)
  const found = await fetch(`${url}/2/users/by/username/demo`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  assert.equal(found.status, 200)
  const absent = await fetch(`${url}/2/nothing`)
  assert.equal(absent.status, 404)

  proxy.stop('SIGINT')
  const ended = await proxy.ended
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(ended.stderr, `4 exchanges are in ${out}.\n`)
  const har = readFileSync(out, 'utf8')
  const { entries } = (JSON.parse(har) as Har).log
  assert.deepEqual(
    entries.map(({ request, response }) => [request.method, request.url, response.status]),
    [
      ['GET', `${upstream}/2/users/me`, 200],
      ['POST', `${upstream}/2/posts`, 201],
      ['GET', `${upstream}/2/users/by/username/demo`, 200],
      ['GET', `${upstream}/2/nothing`, 404],
    ],
  )
  assert.equal(entries[0]?.response.content.text, me.text)
  for (const secret of [bearer, decodeURIComponent(bearer), keys.consumerSecret, keys.tokenSecret])
    assert.ok(!har.includes(secret))

  const { data } = await startCli(t)
  const same = await runPlaza(t, ['compare', out, `--data=${data}`])
  assert.deepEqual([same.code, same.stdout], [0, '4 of 4 replies have the same form.\n'], same.stderr)

  const edited = JSON.parse(har) as Har
  const [first, second] = edited.log.entries
  assert.ok(first && second)
  first.response.content.text = '{"data":{"id":7,"name":"Demo","badge":{"kind":"new"}}}'
  second.response.status = 200
  writeFileSync(out, JSON.stringify(edited))
  const different = await runPlaza(t, ['compare', out, `--data=${data}`])
  assert.equal(different.code, 1)
  assert.equal(
    different.stdout,
    `GET /2/users/me
  \`$.data.badge\` is missing.
  \`$.data.id\` is a string instead of a number.
  \`$.data.username\` is additional.
POST /2/posts
  The status is 403 instead of 200.
2 of 4 replies have the same form.
`,
  )
})

test('a wrong call of the recorder or a wrong archive is one sentence', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'x.har')
  for (const [args, message] of [
    [
      ['record', '--upstream=api', `--out=${file}`],
      '--upstream is an origin such as https://api.example.com, not "api"',
    ],
    [['record', '--upstream=https://a.example.com/2', `--out=${file}`], '--upstream is an origin'],
    [['record', '--upstream=https://a.example.com', '--out=/none/x.har'], '--out /none/x.har is in a folder'],
    [['record', '--out=x'], '--upstream is missing'],
  ] as const) {
    const { code, stderr } = await runPlaza(t, args)
    assert.deepEqual([code, stderr.includes(message)], [2, true], stderr)
  }
  const { data } = await startCli(t)
  for (const [content, message] of [
    ['{', 'The archive is not valid JSON'],
    ['{}', 'The archive has no list `log.entries`.'],
    ['{"log":{"entries":[{}]}}', '`log.entries[0].request.method` is no text.'],
    ['{"log":{"entries":[{"request":{"method":"GET","url":"/x"}}]}}', '`log.entries[0].request.url` is no'],
  ] as const) {
    writeFileSync(file, content)
    const { code, stderr } = await runPlaza(t, ['compare', file, `--data=${data}`])
    assert.deepEqual([code, stderr.includes(message)], [1, true], stderr)
  }
})
