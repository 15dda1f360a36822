import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type FilePosition, type FileValue, MAX_LINE_BYTES, readFile } from './read-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'plaza-values-'))
after(() => rm(folder, { recursive: true, force: true }))

async function valuesOf(content: string, from: FilePosition = { line: 0, byte: 0 }): Promise<FileValue[]> {
  const file = join(folder, 'values')
  await writeFile(file, content)
  return Array.fromAsync(readFile(file, from))
}
const shown = (values: FileValue[]) => values.map(({ line, text }) => [line, text])

test('a file without an array has its lines, without a byte order mark', async () => {
  assert.deepEqual(await valuesOf('\ufeff{"a":1}\n{"b":2}'), [
    { line: 1, text: '{"a":1}', next: { line: 1, byte: 11 } },
    { line: 2, text: '{"b":2}', next: { line: 2, byte: 18 } },
  ])
})

const OBJECTS = ['{"a":"],\\"[é"}', '{\n  "b": [{}, [2]]\n}', '"c"', '4'] as const

for (const [what, start, end] of [
  ['an array', '[', ']'],
  ['an array after a byte order mark', '\ufeff [\n', '\n]\n'],
  ['an array in a script', 'window.data.posts["part-0"] = [\n', '];\nmore = [1]\n'],
] as const)
  test(`${what} has its elements, and reading continues after any of them`, async () => {
    const content = start + OBJECTS.join(' ,\n') + end
    const values = await valuesOf(content)
    const first = start.split('\n').length
    assert.deepEqual(shown(values), [
      [first, OBJECTS[0]],
      [first + 1, OBJECTS[1]],
      [first + 4, OBJECTS[2]],
      [first + 5, OBJECTS[3]],
    ])
    for (const [index, { next }] of values.entries())
      assert.deepEqual(await valuesOf(content, next), values.slice(index + 1))
  })

test('an empty array has no elements, and one that does not end has its last one', async () => {
  assert.deepEqual(await valuesOf('[]'), [])
  assert.deepEqual(shown(await valuesOf('[{"a":1},{"b"')), [
    [1, '{"a":1}'],
    [1, '{"b"'],
  ])
})

test('an element that is too long is left out', async () => {
  const long = `{"a":"${'x'.repeat(MAX_LINE_BYTES)}"}`
  assert.deepEqual(shown(await valuesOf(`[{"a":1},\n${long},\n{"b":2}]`)), [
    [1, '{"a":1}'],
    [2, undefined],
    [3, '{"b":2}'],
  ])
})
