import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Advertiser } from '../support/advertiser.ts'
import { Client, demoKeys } from '../support/client.ts'
import { png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/**
 * Every file and folder below one that others than its owner may use, certificates aside: those are
 * public.
 */
function openToOthers(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^tls\/(ca|server)\.pem$/.test(name))
    .map((name) => ({ name, path: join(root, name) }))
    .filter(({ path }) => modeOf(path) !== (statSync(path).isDirectory() ? '700' : '600'))
    .map(({ name, path }) => `${name} ${modeOf(path)}`)
}

/** Has a Plaza make every kind of file: nonces, members of audiences, media. */
async function useEverything(plaza: Awaited<ReturnType<typeof startPlaza>>): Promise<void> {
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const userId = plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
  const { account } = await Advertiser.open(plaza.context, userId)
  const base = `${plaza.urls.ads}/12/accounts/${account.id}/custom_audiences`
  const made = await client.signed('POST', base, keys, { form: { name: 'Private' } })
  const { id } = (made.json as { data: { id: string } }).data
  const json = [{ operation_type: 'Update', params: { users: [{ partner_user_id: ['p'] }] } }]
  assert.equal((await client.signed('POST', `${base}/${id}/users`, keys, { json })).status, 200)
  const form = { media_data: png(8, 8).toString('base64') }
  const image = await client.signed('POST', '/1.1/media/upload.json', keys, { form })
  assert.equal(image.status, 200, image.text)
  await plaza.context.membership.drain()
  await client.close()
}

test('everything in the data folder belongs to its owner alone, also what was open to others before', async () => {
  const root = mkdtempSync(join(tmpdir(), 'plaza-private-'))
  const data = join(root, 'data')
  const umask = process.umask(0o022)
  try {
    const first = await startPlaza({ data })
    await useEverything(first)
    assert.deepEqual(first.warnings, [])
    assert.equal(modeOf(data), '700')
    assert.deepEqual(openToOthers(data), [])
    const names = readdirSync(data)
    for (const name of ['plaza.db', 'plaza.db-wal', 'plaza.db-shm', 'membership-log.db', 'membership.db'])
      assert.ok(names.includes(name), name)
    await first.close()

    const databases = ['plaza.db', 'lock.db', 'membership-log.db', 'membership.db']
    for (const name of databases) chmodSync(join(data, name), 0o644)
    chmodSync(data, 0o755)
    const second = await startPlaza({ data })
    await useEverything(second)
    assert.deepEqual(openToOthers(data), [])
    assert.deepEqual(second.warnings, [
      `Other users of this machine can read the data folder ${data} (mode 0755). Run: chmod 700 ${data}`,
    ])
    await second.close()
  } finally {
    process.umask(umask)
    rmSync(root, { recursive: true, force: true })
  }
})
