import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { imageSize } from 'image-size'
import { ffmpegOf } from '../../src/domain/media/poster/ffmpeg.ts'
import { mediaById } from '../../src/domain/media/queries.ts'
import { ConfigError, configOf } from '../../src/platform/config/config.ts'
import { Desk } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { mp4, uploaded } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { programOf, writeProgram } from '../support/programs.ts'
import { until } from '../support/until.ts'
import { runPlaza, spawnPlaza, temporaryFolder, until as untilOf } from './cli.fixture.ts'

/** How long ffmpeg may take. */
const FFMPEG_MS = 30_000
const FFMPEG = programOf('ffmpeg')
const skip = FFMPEG === undefined && 'there is no ffmpeg on the PATH: install it to try first frames'
const folder = mkdtempSync(join(tmpdir(), 'plaza-posters-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Running = Awaited<ReturnType<typeof startPlaza>>

/** Uploads a video, has it worked on, and fetches its poster. */
async function posterOf(plaza: Running, client: Client, content: Buffer) {
  const desk = await Desk.open(plaza, client)
  const { media_key } = await uploaded(plaza.context, desk.person.id, content)
  const added = await desk.post('/media_library', { media_key })
  const read = async () => {
    const { data } = (await desk.get(`/media_library/${media_key}`)).json as {
      data: { media_status: string; poster_media_url: string | null; poster_media_key: string | null }
    }
    return data
  }
  assert.equal(added.status, 201, added.text)
  const pending = await read()
  assert.deepEqual(
    [pending.media_status, pending.poster_media_url, pending.poster_media_key],
    ['PENDING_TRANSCODE', null, null],
  )
  await plaza.tasks.runDue('process medium')
  const ready = await read()
  assert.deepEqual(
    [ready.media_status, ready.poster_media_key],
    ['TRANSCODE_COMPLETED', media_key.replace('7_', '3_')],
  )
  const reply = await fetchBytes(plaza, String(ready.poster_media_url))
  return { url: String(ready.poster_media_url), ...reply }
}

async function fetchBytes(plaza: Running, url: string) {
  const row = /\/media\/([0-9a-f]{64})\.(\w+)$/.exec(url)
  assert.ok(row?.[1], url)
  const bytes = (await plaza.context.files.size(row[1])) as number
  const content = await plaza.context.files.read(row[1], 0, bytes)
  return { extension: row[2], content, size: imageSize(content) }
}

/** The colour of the middle of a picture. */
function middleOf(picture: Buffer): number[] {
  const args = [
    '-loglevel',
    'error',
    '-i',
    'pipe:0',
    '-vf',
    'crop=16:16',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
  ]
  return [...execFileSync(FFMPEG as string, [...args, 'pipe:1'], { input: picture })].slice(0, 3)
}

/** A red picture, then blue ones. */
function redThenBlue(name: string, size: string): Buffer {
  const file = join(folder, name)
  execFileSync(FFMPEG as string, [
    ...['-loglevel', 'error', '-y', '-f', 'lavfi', '-i', `color=red:s=${size}:r=10:d=0.1`],
    ...['-f', 'lavfi', '-i', `color=blue:s=${size}:r=10:d=1`],
    ...['-filter_complex', '[0:v][1:v]concat=n=2:v=1', '-c:v', 'mpeg4', '-q:v', '2', file],
  ])
  return readFileSync(file)
}

for (const kept of ['in memory', 'in a folder'])
  describe(`with an ffmpeg, files ${kept}`, { skip }, () => {
    let plaza: Running
    let client: Client
    before(async () => {
      const data = kept === 'in memory' ? {} : { data: mkdtempSync(join(folder, 'data-')) }
      plaza = await startPlaza({ ...data, ffmpeg: undefined, rateLimits: 'off' })
      client = new Client(plaza)
    })
    after(async () => {
      await client.close()
      await plaza.close()
    })

    test('the poster of a video is its first frame', async () => {
      for (const name of ['first.mp4', 'first.mov']) {
        const { extension, size, content } = await posterOf(plaza, client, redThenBlue(name, '320x180'))
        assert.deepEqual([extension, size.type, size.width, size.height], ['jpg', 'jpg', 320, 180])
        const [red = 0, green = 0, blue = 0] = middleOf(content)
        assert.ok(red > 200 && green < 60 && blue < 60, `${red} ${green} ${blue}`)
      }
    })

    test('a large one is scaled down, and a rotated one is upright', async () => {
      const { size } = await posterOf(plaza, client, redThenBlue('large.mp4', '1920x1080'))
      assert.deepEqual([size.width, size.height], [1280, 720])
      const turned = readFileSync(new URL('../data/videos/turned.mp4', import.meta.url))
      const upright = await posterOf(plaza, client, turned)
      assert.deepEqual([upright.extension, upright.size.width, upright.size.height], ['jpg', 36, 64])
    })

    test('a video that ffmpeg cannot read gets a placeholder of its form', async () => {
      const { extension, size } = await posterOf(plaza, client, mp4(160, 90))
      assert.deepEqual([extension, size.width, size.height], ['png', 160, 90])
    })
  })

describe('what stands in for ffmpeg', () => {
  test('a program that prints no picture, or fails, leaves a placeholder', async () => {
    for (const [name, lines] of [
      ['silent', ':'],
      ['talkative', 'echo no picture'],
      ['failing', 'exit 1'],
    ] as const) {
      const plaza = await startPlaza({ ffmpeg: writeProgram(join(folder, name), lines), rateLimits: 'off' })
      const client = new Client(plaza)
      const { extension, size } = await posterOf(plaza, client, mp4(160, 90))
      assert.deepEqual([extension, size.width, size.height], ['png', 160, 90], name)
      await client.close()
      await plaza.close()
    }
  })

  test('one that hangs is given up in the end, and ends with the server', async () => {
    const hanging = writeProgram(join(folder, 'hanging'), 'exec sleep 86400')
    const plaza = await startPlaza({ ffmpeg: hanging, rateLimits: 'off' })
    const client = new Client(plaza)
    const desk = await Desk.open(plaza, client)
    const { context, clock } = plaza
    const stateOf = async (id: string) => (await context.store.first(mediaById, { id }))?.state

    const first = await uploaded(context, desk.person.id, mp4(160, 90))
    const working = plaza.tasks.runDue('process medium')
    await until('the wait for ffmpeg', () => clock.awaited.includes(clock.now() + FFMPEG_MS))
    clock.advance(FFMPEG_MS)
    await working
    assert.equal(await stateOf(first.id), 'READY')

    const second = await uploaded(context, desk.person.id, mp4(160, 90))
    void plaza.tasks.runDue('process medium')
    await until('the wait for ffmpeg', () => clock.awaited.includes(clock.now() + FFMPEG_MS))
    assert.equal(await stateOf(second.id), 'PENDING')
    await client.close()
    // It would wait for a day.
    await plaza.close()
  })
})

describe('which ffmpeg is used', () => {
  test('the one of the settings, else the first on the PATH that can be run, or none', (t) => {
    const [one, other] = ['one', 'other'].map((name) => mkdtempSync(join(folder, name))) as [string, string]
    const path = process.env.PATH
    t.after(() => {
      process.env.PATH = path
    })
    process.env.PATH = `relative:${one}:${other}`
    assert.equal(ffmpegOf(configOf({})), undefined)
    writeFileSync(join(one, 'ffmpeg'), 'text')
    chmodSync(join(one, 'ffmpeg'), 0o644)
    const found = writeProgram(join(other, 'ffmpeg'), ':')
    assert.equal(ffmpegOf(configOf({})), found)
    const chosen = writeProgram(join(one, 'chosen'), ':')
    assert.equal(ffmpegOf(configOf({ ffmpeg: chosen })), chosen)
    assert.equal(ffmpegOf(configOf({ ffmpeg: 'none' })), undefined)
    for (const wrong of [join(one, 'ffmpeg'), one, join(one, 'absent')])
      assert.throws(() => ffmpegOf(configOf({ ffmpeg: wrong })), {
        name: new ConfigError('').name,
        message: `--ffmpeg ${wrong}: is not a file that can be run`,
      })
  })

  test('the start says which', async (t) => {
    const data = join(temporaryFolder(t), 'data')
    const ports = ['--core-port=0', '--ads-port=0', '--ads-sandbox-port=0', '--console-port=0']
    const program = writeProgram(join(folder, 'own'), ':')
    const lines: [args: string[], line: string][] = [
      [[`--ffmpeg=${program}`], `  Posters of videos    first frames, taken by ${program}`],
      [['--ffmpeg=none'], '  Posters of videos    placeholders'],
    ]
    for (const [args, line] of lines) {
      const running = spawnPlaza(t, ['start', '--memory', ...ports, ...args])
      await untilOf(running, 'the message', () => running.stdout().endsWith('\n') || undefined)
      assert.ok(running.stdout().split('\n').includes(line), running.stdout())
      running.child.kill()
      await running.ended
    }
    const wrong = await runPlaza(t, ['start', `--data=${data}`, ...ports, `--ffmpeg=${folder}`])
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, `plaza: --ffmpeg ${folder}: is not a file that can be run. See: plaza help start\n`],
    )
  })
})
