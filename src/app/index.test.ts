import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ConfigError, startPlaza } from './index.ts'

const SEED = { users: [{ screen_name: 'ann', name: 'Ann', password: 'a password of ann' }] }

test('tells its ports, whatever its public origins are, and takes a seed as an object', async () => {
  const plaza = await startPlaza({ coreUrl: 'https://api.example.com', seed: SEED })
  try {
    assert.equal(plaza.urls.core, 'https://api.example.com')
    assert.deepEqual(
      [plaza.urls.ads, plaza.urls.adsSandbox, plaza.urls.console],
      [
        `https://127.0.0.1:${plaza.ports.ads}`,
        `https://127.0.0.1:${plaza.ports.adsSandbox}`,
        `http://127.0.0.1:${plaza.ports.console}`,
      ],
    )
    assert.equal(new Set(Object.values(plaza.ports)).size, 4)
    const socket = connect(plaza.ports.core, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    socket.destroy()
    assert.deepEqual(
      plaza.users.map(({ screenName, password }) => [screenName, password]),
      [['ann', 'a password of ann']],
    )
  } finally {
    await plaza.close()
  }
})

const rejects = (settings: Parameters<typeof startPlaza>[0], message: string) =>
  assert.rejects(startPlaza(settings), (error) => {
    assert.ok(error instanceof ConfigError)
    assert.ok(error.message.startsWith(message), error.message)
    return true
  })

test('rejects with ConfigError for a seed that is absent or invalid', async () => {
  const wrong: [unknown, string][] = [
    [[], 'seed must be none, demo or the name of a file, not ""'],
    ['/nowhere/seed.json', '/nowhere/seed.json: there is no such file'],
    [{ users: [{ screen_name: 'ann' }] }, 'seed: at /users/0/name: is missing but it is required'],
    [{ users: [], people: 1 }, 'seed: at /people: '],
  ]
  // @ts-expect-error A program in JavaScript can pass anything.
  for (const [seed, message] of wrong) await rejects({ seed }, message)
})

test('rejects with ConfigError for an address to listen on that is none of this machine', async () => {
  const [brackets, unknown, foreign] = ['[::1]', 'nowhere.invalid', '192.0.2.1']
  const syntax = `must be an IP address or a host name, for example 127.0.0.1 or ::1, not "${brackets}"`
  await rejects({ listen: brackets }, `listen ${syntax}`)
  await rejects({ adsSandboxListen: brackets }, `adsSandboxListen ${syntax}`)
  const none = 'must be an address or a name of this machine, not'
  await rejects({ listen: unknown }, `--listen ${none} "${unknown}"`)
  await rejects({ coreListen: unknown }, `--core-listen ${none} "${unknown}"`)
  await rejects({ adsListen: foreign }, `--ads-listen ${none} "${foreign}"`)
  await rejects({ adsSandboxListen: foreign }, `--ads-sandbox-listen ${none} "${foreign}"`)
})

test('a reset keeps changed settings, and still shows them as changed', async () => {
  const plaza = await startPlaza({ seed: SEED })
  const settings = async (change?: object) => {
    const reply = await fetch(`${plaza.urls.console}/admin/v1/settings`, {
      ...(change && {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      }),
    })
    const { data } = (await reply.json()) as { data: { name: string; value: unknown; changed: boolean }[] }
    return data.find(({ name }) => name === 'rate-limits')
  }
  try {
    const before = await settings()
    assert.deepEqual([before?.value, before?.changed], ['documented', false])
    const changed = await settings({ 'rate-limits': 'off' })
    assert.deepEqual([changed?.value, changed?.changed], ['off', true])
    await plaza.reset()
    assert.deepEqual(await settings(), changed)
  } finally {
    await plaza.close()
  }
})
