import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { programOf } from '../../src/app/cli/command-line.ts'
import { commands } from '../../src/app/cli/commands.ts'
import { runPlaza, type Started, spawnPlaza, startCli, stopCli, until } from './cli.fixture.ts'

// Every event type of the interface and the reference that Plaza has, emitted beside a running
// server.

const OF_USER = [
  'post.create',
  'post.delete',
  'post.mention.create',
  'post.reply.create',
  'post.quote.create',
  'post.repost.create',
  'like.create',
  'follow.follow',
  'follow.unfollow',
  'mute.mute',
  'mute.unmute',
  'block.block',
  'block.unblock',
  'profile.update.bio',
  'profile.update.geo',
  'profile.update.url',
  'profile.update.profile_picture',
  'profile.update.banner_picture',
  'profile.update.screenname',
  'profile.update.handle',
  'profile.update.verified',
  'profile.update.affiliate',
  'spaces.start',
  'spaces.end',
  'dm.received',
  'dm.sent',
  'dm.join',
  'dm.leave',
  'dm.indicate_typing',
  'dm.read',
]

/** The command, in this process: a process for each event type would take a minute. */
async function emit(t: TestContext, ...args: string[]): Promise<{ event_type: string; payload: unknown }> {
  const program = programOf(commands)
  const said: string[] = []
  const log = t.mock.method(console, 'log', (text: string) => said.push(text))
  await program.parseAsync(['emit', ...args, '--json'], { from: 'user' })
  log.mock.restore()
  assert.equal(program.exitCode, 0)
  return JSON.parse(said.join('')) as { event_type: string; payload: unknown }
}

interface Line {
  kind: string
  type: string
  body: { data: { event_type: string; filter: object; payload: unknown } }
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((one) => JSON.parse(one) as Line)

/** Without the counts, which are those of the time at which the server sends it. */
const lasting = (payload: unknown): unknown =>
  JSON.parse(
    JSON.stringify(payload, (name, value: unknown) =>
      name === 'public_metrics' || name === 'most_recent_post_id' ? undefined : value,
    ),
  )

async function subscribe(t: TestContext, { data }: Started, subscription: object): Promise<void> {
  const json = JSON.stringify(subscription)
  const path = '/2/activity/subscriptions'
  const args = ['request', 'POST', path, '--as=app', '-d', json, `--data=${data}`]
  const { code, stdout, stderr } = await runPlaza(t, args)
  assert.equal(code, 0, stdout + stderr)
}

test('each event type can be emitted, and arrives as one that happened', async (t) => {
  const plaza = await startCli(t)
  const { app, user } = plaza.ready
  assert.ok(app && user)
  const data = `--data=${plaza.data}`
  const listening = spawnPlaza(t, ['listen', '--port=0', '--register', '--json', data])
  const webhook_id = await until(
    listening,
    'the registration',
    () => /"webhook_id":"([0-9]+)"/.exec(listening.stdout())?.[1],
  )
  const filters: [event: string, filter: object, ...flags: string[]][] = [
    ...OF_USER.map((name): [string, object, string] => [name, { user_id: user.id }, '--user=demo']),
    ['news.new', { keyword: 'harbour' }, '--text=The harbour bridge'],
    ['oauth.revoke', {}, `--app=${app.id}`],
  ]
  for (const [event_type, filter] of filters) await subscribe(t, plaza, { event_type, filter, webhook_id })
  const emitted = new Map<string, unknown>()
  for (const [name, , ...flags] of filters) {
    const { event_type, payload } = await emit(t, name, ...flags, data)
    assert.equal(event_type, name)
    emitted.set(name, payload)
  }
  const arrived = await until(listening, 'every event', () => {
    const events = linesOf(listening.stdout()).filter(({ kind }) => kind === 'event')
    return new Set(events.map(({ type }) => type)).size === filters.length ? events : undefined
  })
  for (const [name, filter] of filters) {
    const found = arrived.find(({ type }) => type === name)?.body.data
    assert.deepEqual([found?.filter, lasting(found?.payload)], [filter, lasting(emitted.get(name))], name)
  }
  assert.equal((await stopCli(listening, 'SIGINT')).code, 0)

  const file = join(plaza.data, 'members.json')
  await writeFile(file, JSON.stringify({ after: 'Another name' }))
  const { payload } = await emit(t, 'profile.update.screenname', '--user=demo', `--with=${file}`, data)
  assert.deepEqual(payload, { before: 'Demo Developer', after: 'Another name' })
  await writeFile(file, JSON.stringify({ after: 'Another name', text: 'x' }))
  await assert.rejects(emit(t, 'profile.update.screenname', '--user=demo', `--with=${file}`, data), {
    message: `${file}: $.text x: unknown`,
  })
})
