import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { systemClock } from '../../src/platform/common/clock.ts'
import { Client, demoKeys } from '../support/client.ts'
import { CLIENT_WORDS } from '../support/client-words.ts'
import { startPlaza } from '../support/plaza.ts'
import { makePost } from '../support/posts.ts'

const SCRIPT = fileURLToPath(new URL('tweepy-client.py', import.meta.url))
/** The client has it built in. */
const HOST = 'api.twitter.com'
/** The client's own words for Plaza's neutral ones. */
const VOCABULARY = {
  words: CLIENT_WORDS,
}

/** The Python that has the client: Debian's, if another one comes first on the PATH. */
const python = ['python3', '/usr/bin/python3'].find((program) => {
  try {
    execFileSync(program, ['-c', 'import tweepy'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
const skip = python === undefined && 'tweepy is not installed: apt-get install python3-tweepy'

test('tweepy, unmodified, does its normal work', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-tweepy-'))
  const vocabulary = join(folder, 'vocabulary.json')
  await writeFile(vocabulary, JSON.stringify(VOCABULARY))
  const plaza = await startPlaza(
    { vocabulary, coreUrl: `https://${HOST}`, streamSamplePercent: 100 },
    { clock: systemClock, backgroundTasks: true },
  )
  const port = plaza.listening.core
  const client = new Client(plaza, { host: HOST, port })
  try {
    const ca = join(folder, 'ca.pem')
    await writeFile(ca, String(plaza.caPem))
    const [, other] = plaza.seeded?.users ?? []
    assert.ok(other)
    await makePost(plaza.context, { authorId: other.id, text: 'A lighthouse' })
    const { consumerKey, consumerSecret, token, tokenSecret } = demoKeys(plaza)
    const { stdout } = await promisify(execFile)(String(python), [SCRIPT], {
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        // The variables that the guide names.
        HTTPS_PROXY: plaza.urls.console,
        REQUESTS_CA_BUNDLE: ca,
        OTHER: other.screenName,
        KEYS: JSON.stringify({
          bearer_token: await client.bearer(demoKeys(plaza)),
          consumer_key: consumerKey,
          consumer_secret: consumerSecret,
          access_token: token,
          access_token_secret: tokenSecret,
        }),
      },
    })
    assert.deepEqual(JSON.parse(stdout), {
      me: 'demo',
      read: ['A bridge, number 0', true, 'demo'],
      pages: true,
      reply: 'replied_to',
      follow: true,
      following: ['advertiser'],
      unfollow: false,
      like: true,
      liked: true,
      unlike: false,
      repost: true,
      unrepost: false,
      members: ['advertiser'],
      'list posts': true,
      owned: ['Bridges'],
      'deleted list': true,
      error: 400,
      unauthorized: 401,
      rule: 1,
      stream: ['A ferry for the stream', 'A buoy for the sample'],
      rules: ['ferry'],
      deleted: Array.from({ length: 7 }, () => true),
    })
  } finally {
    await client.close()
    await plaza.close()
    await rm(folder, { recursive: true, force: true })
  }
})
