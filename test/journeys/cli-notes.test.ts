import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runPlaza, type Started, startCli } from './cli.fixture.ts'

// What an operator does about community notes beside the server.

async function run(t: TestContext, { data }: Started, ...args: string[]) {
  const { code, stdout, stderr } = await runPlaza(t, [...args, `--data=${data}`, '--json'])
  return { code, stderr, json: code === 0 ? (JSON.parse(stdout) as unknown) : undefined }
}

/** The id of what a request of the demo user makes. */
async function made(t: TestContext, { data }: Started, path: string, body: object): Promise<string> {
  const sent = ['request', 'POST', path, '-d', JSON.stringify(body), `--data=${data}`]
  const { code, stdout, stderr } = await runPlaza(t, sent)
  assert.equal(code, 0, stdout + stderr)
  return (JSON.parse(stdout) as { data: { id: string } }).data.id
}

test('writers are enrolled, notes requested and rated while the server runs', async (t) => {
  const plaza = await startCli(t)
  const post_id = await made(t, plaza, '/2/posts', { text: 'The bridge was opened in 1952' })
  const requested = await run(t, plaza, 'note', 'request', post_id, '--user=@advertiser')
  assert.deepEqual(requested.json, { post_id, requests: 1 }, requested.stderr)
  const info = {
    text: 'It was opened in 1932: https://example.com/bridge',
    classification: 'misinformed_or_potentially_misleading',
    misleading_tags: ['factual_error'],
    trustworthy_sources: true,
  }
  const note = await made(t, plaza, '/2/notes', { test_mode: false, post_id, info })
  const rated = await run(
    t,
    plaza,
    'note',
    'rate',
    note,
    '--user=advertiser',
    '--as=not_helpful',
    '--tags=incorrect',
  )
  assert.deepEqual(rated.json, { id: note, status: 'minimum_ratings_not_met' }, rated.stderr)
  const own = await run(t, plaza, 'note', 'rate', note, '--user=demo')
  assert.match(own.stderr, /Writers cannot rate their own notes\./)
  const wrong = await run(t, plaza, 'note', 'rate', note, '--user=advertiser', '--tags=foo')
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /"foo" is no tag; there are addresses_claim, clear,/)
  const enrolled = await run(t, plaza, 'user', 'enroll-note-writer', 'advertiser', '--top')
  const { id, ...said } = enrolled.json as { id: string }
  assert.deepEqual(said, { screen_name: 'advertiser', note_writer: 'top' })
  const removed = await run(t, plaza, 'user', 'remove-note-writer', id)
  assert.deepEqual(removed.json, { id, screen_name: 'advertiser', note_writer: null })
  const again = await run(t, plaza, 'user', 'remove-note-writer', id)
  assert.match(again.stderr, /@advertiser is not a writer of community notes/)
})
