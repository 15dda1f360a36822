import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type FileLine, MAX_LINE_BYTES, readLines } from './read-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'plaza-lines-'))
after(() => rm(folder, { recursive: true, force: true }))

async function linesOf(content: string, from = { line: 0, byte: 0 }): Promise<FileLine[]> {
  const file = join(folder, 'lines')
  await writeFile(file, content)
  return Array.fromAsync(readLines(file, from))
}

test('lines have numbers and places, the last one also without an end', async () => {
  assert.deepEqual(await linesOf('a\n\nçb\r\nd'), [
    { number: 1, text: 'a', end: 2 },
    { number: 2, text: '', end: 3 },
    { number: 3, text: 'çb\r', end: 8 },
    { number: 4, text: 'd', end: 9 },
  ])
  assert.deepEqual(await linesOf(''), [])
})

test('reading goes on where it was', async () => {
  assert.deepEqual(await linesOf('a\nbb\nccc\n', { line: 1, byte: 2 }), [
    { number: 2, text: 'bb', end: 5 },
    { number: 3, text: 'ccc', end: 9 },
  ])
})

test('characters and lines may be cut by the pieces that a file is read in', async () => {
  const long = 'ä'.repeat(400_000)
  const lines = await linesOf(`${long}\nx${long}\nyy${long}`)
  assert.deepEqual(
    lines.map(({ text }) => [text?.slice(0, 3), text?.length]),
    [
      ['äää', 400_000],
      ['xää', 400_001],
      ['yyä', 400_002],
    ],
  )
})

test('a line that is too long is left out, whatever it is long by', async () => {
  for (const length of [MAX_LINE_BYTES + 1, 3 * MAX_LINE_BYTES, 5 * MAX_LINE_BYTES + 7])
    assert.deepEqual(await linesOf(`a\n${'x'.repeat(length)}\nb\n`), [
      { number: 1, text: 'a', end: 2 },
      { number: 2, text: undefined, end: length + 3 },
      { number: 3, text: 'b', end: length + 5 },
    ])
  const [longest] = await linesOf('x'.repeat(MAX_LINE_BYTES))
  assert.equal(longest?.text?.length, MAX_LINE_BYTES)
})
