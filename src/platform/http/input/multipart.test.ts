import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import { MAX_TEXT_BYTES } from './form.ts'
import { readMultipart } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=B'

const read = (body: string | Buffer, type = TYPE) =>
  readMultipart(Buffer.from(body as string), { 'content-type': type }, 'media')

const field = (name: string, value: string, more = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const END = '--B--\r\n'

test('fields and files are read in their order, whatever they contain', async () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'ä', '"', '\\', ' ', ';'),
    minLength: 1,
    maxLength: 20,
  })
  const content = fc.oneof(
    unicodeText(),
    fc.string({ unit: fc.constantFrom('\r', '\n', '-', '--', 'B', '\r\n--', '\r\n-') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, content), { maxLength: 20 }), async (pairs) => {
      const wanted = pairs
        .map(([name, value]): [string, string] => [name, value.toWellFormed()])
        .filter(([, value]) => !`\r\n${value}\r\n`.includes('\r\n--B'))
      const parts = wanted.map(([name, value]) => field(name.replace(/["\\]/g, '\\$&'), value))
      const { fields, files, long } = await read(`a preamble\r\n${parts.join('')}${END}an epilogue`)
      assert.deepEqual({ fields, files, long }, { fields: wanted, files: [], long: [] })
    }),
    { seed: 12, numRuns: 500 },
  )
})

test('a part is a file by its name, its file name or its type', async () => {
  const parts = [
    field('media', 'one'),
    field('other', 'two', '; filename="C:\\fake\\two.png"'),
    field('other', 'three', "; filename*=UTF-8''three"),
    '--B\r\ncontent-type: Application/Octet-Stream\r\ncontent-disposition: form-data; name=bare\r\n\r\nfour\r\n',
    field('media_type', 'image/png'),
  ]
  const { fields, files } = await read(parts.join('') + END)
  assert.deepEqual(fields, [['media_type', 'image/png']])
  assert.deepEqual(
    files.map(({ name, content }) => [name, String(content)]),
    [
      ['media', 'one'],
      ['other', 'two'],
      ['other', 'three'],
      ['bare', 'four'],
    ],
  )
})

test('a boundary may be in quotes, and its lines may end with spaces', async () => {
  const { fields } = await read(
    '--a b \t\r\ncontent-disposition: form-data; name="x"\r\n\r\ny\r\n--a b--',
    'multipart/form-data; charset=utf-8; boundary="a b"',
  )
  assert.deepEqual(fields, [['x', 'y']])
})

test('a field of another character set is converted', async () => {
  const body =
    '--B\r\ncontent-disposition: form-data; name=x\r\ncontent-type: text/plain; charset=latin1\r\n\r\n\xe9\r\n--B--'
  assert.deepEqual((await read(Buffer.from(body, 'latin1'))).fields, [['x', 'é']])
})

test('a field that is too long for a text is a long value', async () => {
  const value = 'x'.repeat(MAX_TEXT_BYTES + 1)
  const { fields, long } = await read(field('media_data', value) + field('x', 'y') + END)
  assert.deepEqual(fields, [['x', 'y']])
  assert.deepEqual(
    long.map(({ name, bytes }) => [name, bytes.toString()]),
    [['media_data', value]],
  )
})

test('anything malformed is rejected', async () => {
  const many = (count: number, part: string) => part.repeat(count) + END
  for (const [body, type] of [
    ['', undefined],
    [END, 'multipart/form-data'],
    [END, `multipart/form-data; boundary=${'b'.repeat(71)}`],
    ['--B', undefined],
    [field('x', 'y'), undefined],
    [`${field('x', 'y')}--B`, undefined],
    ['--Bx\r\ncontent-disposition: form-data; name=x\r\n\r\ny\r\n--B--', undefined],
    ['--B\r\n\r\ny\r\n--B--', undefined],
    ['--B\r\nno colon\r\n\r\ny\r\n--B--', undefined],
    ['--B\r\ncontent-disposition: form-data; name="x\r\n\r\ny\r\n--B--', undefined],
    ['--B\r\ncontent-type: text/plain\r\n\r\ny\r\n--B--', undefined],
    [field('n'.repeat(101), 'y') + END, undefined],
    [many(51, field('x', 'y')), undefined],
    [many(5, field('media', 'y')), undefined],
    [`--B\r\n${'x: y\r\n'.repeat(21)}\r\ny\r\n--B--`, undefined],
    [`--B\r\nx: ${'y'.repeat(9_000)}\r\n\r\ny\r\n--B--`, undefined],
  ] as const)
    await assert.rejects(read(body, type), { reason: 'bad request' }, body.slice(0, 100))
  await assert.rejects(read(Buffer.from(field('x', '\xff') + END, 'latin1')), {
    violations: [{ place: 'form', name: 'x', value: undefined, fault: { kind: 'invalid' } }],
  })
})
