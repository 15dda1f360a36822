import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryLocationId } from '../../src/domain/reference-data/locations.ts'
import { runPlaza, smallSeedFlag, startCli } from './cli.fixture.ts'

test('posts and users are withheld, dropped, voted on and lose their places while the server runs', async (t) => {
  const { data, ready } = await startCli(t, { args: [smallSeedFlag(t)] })
  const demo = ready.user?.id as string
  const run = (...args: string[]) => runPlaza(t, [...args, `--data=${data}`])
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args)
    assert.equal(code, 0, stderr)
    return stdout.trimEnd()
  }
  const asJson = async (...args: string[]) => JSON.parse(await said(...args, '--json')) as unknown
  const body = async (...args: string[]) => {
    const { stdout, stderr } = await run('request', ...args, '--json')
    assert.notEqual(stdout, '', stderr)
    return (
      JSON.parse(stdout) as { body: { data?: Record<string, unknown>; includes?: Record<string, unknown> } }
    ).body
  }
  const write = async (post: object) => {
    const { data: made } = await body('POST', '/2/posts', `--body=${JSON.stringify(post)}`)
    return String(made?.id)
  }
  const shown = async (id: string, fields: string) =>
    (await body('GET', `/2/posts/${id}?post.fields=${fields}`)).data

  const place_id = countryLocationId('DE')
  const first = await write({ text: 'In Germany', geo: { place_id } })
  const second = await write({ text: 'There again', geo: { place_id } })

  assert.equal(
    await said('post', 'withhold', first, '--countries=FR, DE,FR', '--copyright'),
    `Post ${first} is withheld in FR, DE.`,
  )
  const withheld = { copyright: true, country_codes: ['FR', 'DE'], scope: 'post' }
  assert.deepEqual((await shown(first, 'withheld'))?.withheld, withheld)
  assert.deepEqual(await asJson('post', 'withhold', first, '--countries=none'), { id: first, withheld: null })
  assert.equal((await shown(first, 'withheld'))?.withheld, undefined)

  const user = async () => (await body('GET', '/2/users/me?user.fields=withheld')).data?.withheld
  assert.deepEqual(await asJson('user', 'withhold', '@demo', '--countries=BR'), {
    ...{ id: demo, screen_name: 'demo', withheld_in: ['BR'] },
  })
  assert.deepEqual(await user(), { country_codes: ['BR'], scope: 'user' })
  assert.equal(
    await said('user', 'withhold', demo, '--countries=none'),
    `User @demo (${demo}) is not withheld in any country.`,
  )
  assert.equal(await user(), undefined)

  const asOther = async () => (await body('GET', `/2/posts/${first}`, '--user=advertiser')).data?.id
  assert.equal(await said('post', 'drop', first), `Post ${first} is out of public view.`)
  assert.deepEqual([await asOther(), (await shown(first, 'text'))?.id], [undefined, first])
  assert.deepEqual(await asJson('post', 'undrop', first), { id: first, dropped: false })
  assert.equal(await asOther(), first)

  const geo = async () => [(await shown(first, 'geo'))?.geo, (await shown(second, 'geo'))?.geo]
  assert.deepEqual(await geo(), [{ place_id }, { place_id }])
  assert.equal(
    await said('user', 'remove-places', 'demo', `--up-to=${first}`),
    'Posts whose places were removed: 1.',
  )
  assert.deepEqual(await geo(), [undefined, { place_id }])
  assert.deepEqual(await asJson('user', 'remove-places', '@demo'), { user: '@demo', posts: 1 })
  assert.deepEqual(await geo(), [undefined, undefined])

  const asked = await write({ text: 'Which?', poll: { options: ['Bees', 'Wasps'], duration_minutes: 60 } })
  assert.equal(
    await said('post', 'vote', asked, '--user=@advertiser', '--answer=2'),
    'The vote for answer 2 is counted.',
  )
  assert.deepEqual(await asJson('post', 'vote', asked, '--user=demo', '--answer=2'), {
    ...{ user_id: demo, post_id: asked, position: 2 },
  })
  const { includes } = await body('GET', `/2/posts/${asked}?expansions=attachments.poll_ids`)
  const polls = includes?.polls as { options: object[] }[] | undefined
  assert.deepEqual(polls?.[0]?.options, [
    { position: 1, label: 'Bees', votes: 0 },
    { position: 2, label: 'Wasps', votes: 2 },
  ])

  for (const [args, code, says] of [
    [
      ['post', 'withhold', first, '--countries=DE,fr'],
      2,
      '--countries takes codes such as DE,FR, or none, not "fr"',
    ],
    [
      ['post', 'withhold', first, '--countries=none', '--copyright'],
      2,
      '--copyright needs countries in which the post is withheld, not "none"',
    ],
    [['post', 'withhold', '17', '--countries=DE'], 1, 'There is no post 17.'],
    [['post', 'drop', 'x1'], 2, '"x1" is not an id'],
    [['post', 'undrop', '17'], 1, 'There is no post 17.'],
    [
      ['post', 'vote', asked, '--user=demo', '--answer=5'],
      2,
      '--answer must be a whole number from 1 to 4, not "5"',
    ],
    [['post', 'vote', asked, '--user=demo', '--answer=3'], 1, 'The poll has no answer 3.'],
    [['post', 'vote', asked, '--user=demo', '--answer=1'], 1, '@demo has chosen another answer.'],
    [['post', 'vote', first, '--user=demo', '--answer=1'], 1, `@demo sees no poll of a post ${first}.`],
    [['user', 'withhold', 'nobody', '--countries=DE'], 1, 'There is no user nobody.'],
    [['user', 'withhold', 'demo', '--countries='], 2, '--countries is missing'],
    [['user', 'remove-places', 'demo', '--up-to=last'], 2, '"last" is not an id'],
  ] as const) {
    const refused = await run(...args)
    assert.deepEqual([refused.code, refused.stdout], [code, ''], refused.stderr)
    assert.ok(refused.stderr.startsWith(`plaza: ${says}`), refused.stderr)
  }
})

test('previews of web pages are set, listed and removed while the server runs', async (t) => {
  const { data } = await startCli(t, { args: [smallSeedFlag(t)] })
  const run = (...args: string[]) => runPlaza(t, [...args, `--data=${data}`])
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('preview', ...args)
    assert.equal(code, 0, stderr)
    return stdout.trimEnd()
  }
  const url = 'https://news.example.com/bridge'
  const image = 'https://news.example.com/bridge.png'
  const page = {
    title: 'The bridge is open',
    description: 'After a year',
    unwound_url: `${url}?open`,
    status: 200,
  }
  /** What a new post shows of its link. */
  const shown = async (text: string) => {
    const post = JSON.stringify({ text: `${text} ${url}` })
    const made = await run('request', 'POST', '/2/posts', `--body=${post}`, '--json')
    const { id } = (JSON.parse(made.stdout) as { body: { data: { id: string } } }).body.data
    const read = await run('request', 'GET', `/2/posts/${id}?post.fields=entities`, '--json')
    const entities = (JSON.parse(read.stdout) as { body: { data: { entities: { urls: object[] } } } }).body
      .data.entities
    const {
      start,
      end,
      url: short,
      expanded_url,
      display_url,
      ...preview
    } = entities.urls[0] as Record<string, unknown>
    return preview
  }

  const none = await run('preview', 'list')
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'There are no previews.\n'])
  const flags = [
    ...[`--title=${page.title}`, `--description=${page.description}`],
    ...[`--unwound-url=${page.unwound_url}`, '--status=200', `--image=${image}`],
  ]
  assert.equal(await said('set', `${url}#top`, ...flags), `New posts show the preview with links to ${url}.`)
  const full = { ...page, images: [{ url: image }] }
  assert.deepEqual(await shown('See'), full)
  assert.deepEqual(JSON.parse(await said('set', 'http://a.example.com', '--json')), {
    url: 'http://a.example.com/',
  })
  assert.equal(await said('list'), `http://a.example.com/\n${url}  ${page.title}`)
  assert.deepEqual(
    (await said('list', '--json')).split('\n').map((line) => JSON.parse(line) as unknown),
    [{ url: 'http://a.example.com/' }, { url, ...full }],
  )
  assert.equal(
    await said('remove', url),
    `The preview of ${url} is removed. Posts that were written with it keep it.`,
  )
  assert.deepEqual(await shown('See again'), {})
  for (const [args, code, says] of [
    [['set', url, '--status=99'], 2, '--status must be a whole number from 100 to 599, not "99"'],
    [
      ['set', 'news.example.com', '--title=A'],
      2,
      'the page must be an http or https URL, not "news.example.com"',
    ],
    [['set', url, '--image=bridge.png'], 2, '--image must be an http or https URL, not "bridge.png"'],
    [
      ['set', url, '--unwound-url=https://[news/'],
      2,
      '--unwound-url must be an http or https URL, not "https://[news/"',
    ],
    [['remove', 'bridge'], 2, 'the page must be an http or https URL, not "bridge"'],
    [['set', url, '--title='], 1, '$.title: can not be empty'],
    [['remove', url], 1, `There is no preview of ${url}.`],
    [['list', 'all'], 2, '"all" is an unexpected argument'],
  ] as const) {
    const refused = await run('preview', ...args)
    assert.deepEqual([refused.code, refused.stdout], [code, ''], refused.stderr)
    assert.ok(refused.stderr.startsWith(`plaza: ${says}`), refused.stderr)
  }
})
