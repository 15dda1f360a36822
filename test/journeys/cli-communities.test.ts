import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPlaza, startCli } from './cli.fixture.ts'

test('communities are created, changed, joined, left, listed and deleted while the server runs', async (t) => {
  const { data } = await startCli(t)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPlaza(t, ['community', ...args, `--data=${data}`])
    return { code, stderr, text: stdout.trimEnd() }
  }
  const said = async (...args: string[]) => {
    const { code, text, stderr } = await run(...args)
    assert.equal(code, 0, stderr)
    return text
  }
  const made = JSON.parse(await said('create', '--name=Bees', '--members=demo, @advertiser', '--json'))
  const { id, created_at, ...shown } = made
  assert.ok(Date.parse(created_at) > 0)
  const rest = { description: '', access: 'Public', join_policy: 'Open', member_count: 2 }
  assert.deepEqual(shown, { name: 'Bees', ...rest })
  assert.equal(
    await said('create', '--name=Wasps', '--id=12', '--access=Closed'),
    '12  Closed       0  Wasps',
  )
  assert.equal(await said('leave', id, 'demo'), `User demo is no member of community ${id}.`)
  assert.equal(await said('join', '12', '@demo'), 'User @demo is a member of community 12.')
  assert.match(await said('members', id), /^[0-9]+ {2}@advertiser$/)
  assert.equal((await said('list', '--user=demo')).split('\n')[0], '12  Closed       1  Wasps')
  assert.ok((await said('list')).startsWith(`${id}  Public       1  Bees\n`))
  const policy = '--join-policy=SuperFollowRequired'
  const changed = JSON.parse(await said('update', id, '--access=Closed', policy, '--json'))
  assert.deepEqual(
    { ...made, access: 'Closed', join_policy: 'SuperFollowRequired', member_count: 1 },
    changed,
  )
  assert.equal(await said('delete', '12'), 'Community 12 is deleted.')
  for (const [args, code, says] of [
    [['delete', '12'], 1, /There is no community 12\./],
    [['join', id, 'nobody'], 1, /There is no user nobody\./],
    [['update', id], 2, /Name what to change/],
    [['update', id, '--access=Hidden'], 2, /--access/],
    [['create', '--name= '], 2, /visible character/],
    [['members', 'bees'], 2, /"bees" is not an id/],
  ] as const) {
    const refused = await run(...args)
    assert.equal(refused.code, code, refused.stderr)
    assert.match(refused.stderr, says)
  }
  const bees = '\u{1F41D}'.repeat(60)
  assert.match(await said('create', `--name=${bees}`), new RegExp(`${bees}$`, 'u'))
})
