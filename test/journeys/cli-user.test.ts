import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runPlaza, type Started, smallSeedFlag, startCli } from './cli.fixture.ts'

/** What an operator does with users beside the server. */
const user = (t: TestContext, { data }: Started, ...args: string[]) =>
  runPlaza(t, ['user', ...args, `--data=${data}`, '--json'])

async function call(t: TestContext, { data }: Started, ...args: string[]) {
  const { stdout, stderr } = await runPlaza(t, ['request', ...args, `--data=${data}`, '--json'])
  assert.notEqual(stdout, '', stderr)
  return (JSON.parse(stdout) as { body: { data: Record<string, unknown> } }).body.data
}

test('members of a profile that only the platform changes are changed while the server runs', async (t) => {
  const plaza = await startCli(t, { args: [smallSeedFlag(t)] })
  const { user: demo, advertiser } = plaza.ready
  assert.ok(demo && advertiser)
  const changes = ['--protected=on', '--verified-type=business', '--affiliation=advertiser']
  changes.push('--profile-image-url=https://demo.example/face.png')
  const updated = await user(t, plaza, 'update', 'demo', ...changes)
  assert.equal(updated.code, 0, updated.stderr)
  assert.deepEqual(JSON.parse(updated.stdout), {
    id: demo.id,
    screen_name: 'demo',
    name: 'Demo Developer',
    profile_image_url: 'https://demo.example/face.png',
    profile_banner_url: null,
    verified_type: 'business',
    subscription_type: 'None',
    affiliation_user_id: advertiser.id,
    protected: true,
  })
  const fields = 'user.fields=affiliation,profile_image_url,protected,verified,verified_type'
  assert.deepEqual(await call(t, plaza, 'GET', `/2/users/me?${fields}`), {
    id: demo.id,
    name: 'Demo Developer',
    username: 'demo',
    affiliation: { description: 'Demo Advertiser', user_id: [advertiser.id] },
    profile_image_url: 'https://demo.example/face.png',
    protected: true,
    verified: true,
    verified_type: 'business',
  })

  const body = `--body={"target_user_id":"${demo.id}"}`
  const path = `/2/users/${advertiser.id}/following`
  assert.deepEqual(await call(t, plaza, 'POST', path, '--user=advertiser', body), {
    following: false,
    pending_follow: true,
  })
  const accepted = await user(t, plaza, 'accept-follow', 'demo', 'advertiser')
  assert.deepEqual(JSON.parse(accepted.stdout), { id: demo.id, follower_id: advertiser.id })
  const again = await user(t, plaza, 'accept-follow', 'demo', 'advertiser')
  assert.equal(again.code, 1)
  assert.match(again.stderr, /@advertiser has not requested to follow @demo\./)

  for (const [args, code, error] of [
    [['--screen-name=Advertiser'], 1, /The screen name @Advertiser is taken\./],
    [['--affiliation=nobody'], 1, /There is no user nobody/],
    [['--verified-type=red'], 2, /--verified-type must be one of none, blue, government, business/],
    [['--profile-image-url=face.png'], 2, /--profile-image-url must be .* not "face\.png"/],
    [['--profile-banner-url=ftp://a/b'], 2, /--profile-banner-url must be an http/],
    [[], 2, /at least one flag is required/],
  ] as const) {
    const wrong = await user(t, plaza, 'update', 'demo', ...args)
    assert.equal(wrong.code, code, wrong.stderr)
    assert.match(wrong.stderr, error)
  }
})
