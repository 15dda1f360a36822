import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_TEXT_BYTES } from './form.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, readJsonBody } from './json.ts'

const read = (text: string | Buffer, takesFiles = false) =>
  readJsonBody(Buffer.from(text as string), takesFiles)

/** What a parser with access to the text of each number makes of it. */
function reference(text: string): unknown {
  return JSON.parse(text, (_name, value, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  )
}

test('a body is read as JSON whose large integers are strings of their digits', async () => {
  const digits = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map((value) => `#${value}#`)
  const value = fc.letrec((tie) => ({
    one: fc.oneof(
      digits,
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('one'), { maxLength: 4 }),
    object: fc.dictionary(fc.oneof(fc.string(), digits), tie('one'), { maxKeys: 4 }),
  }))
  await fc.assert(
    fc.asyncProperty(value.one, fc.constantFrom(0, 1), async (json, indent) => {
      const text = JSON.stringify(json, undefined, indent).replace(/"#(-?[0-9]+)#"(?!\s*:)/g, '$1')
      assert.deepEqual(await read(text), { kind: 'json', json: reference(text), long: [] })
    }),
    { seed: 13, numRuns: 500 },
  )
})

test('what is not JSON stays so, whatever its numbers', async () => {
  const large = '12345678901234567890'
  for (const text of [
    ...[
      `{${large}:1}`,
      `{${large} : 1}`,
      `0${large}`,
      `-0${large}`,
      `${large}-1`,
      `${large} ${large}`,
      `"a"${large}`,
    ],
    ...[
      `+${large}`,
      `.${large}`,
      `${large}.`,
      `[${large}`,
      `{"a":${large}`,
      `x${large}`,
      `${large}x`,
      `[${large},]`,
      '',
      '"',
    ],
  ])
    assert.equal((await read(text)).kind, 'no JSON', text)
  for (const text of [`${large}.5`, `${large}e1`, `1e${'1'.repeat(20)}`, `[-${large}]`, ` ${large} `])
    assert.deepEqual(await read(text), { kind: 'json', json: reference(text), long: [] }, text)
})

test('a body that is not UTF-8 is quoted around the place', async () => {
  assert.deepEqual(await read(Buffer.from('{"text":"caf\xe9"}', 'latin1')), {
    kind: 'no JSON',
    quoted: '{"text":"caf\ufffd"}',
  })
  const long = Buffer.concat([Buffer.alloc(300_000, 'ä'), Buffer.from([0xc3])])
  const read300 = await read(long)
  assert.ok(read300.kind === 'no JSON' && read300.quoted.endsWith('ää\ufffd'), JSON.stringify(read300))
})

test('a body has a greatest depth and a greatest number of values', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal((await read(nested(MAX_JSON_DEPTH))).kind, 'json')
  assert.deepEqual(await read(nested(MAX_JSON_DEPTH + 1)), { kind: 'too complex', exceeded: 'depth' })
  assert.deepEqual(await read('['.repeat(1_000_000)), { kind: 'too complex', exceeded: 'depth' })
  const list = (values: number) => `[${'0,'.repeat(values - 1)}0]`
  assert.equal((await read(list(MAX_JSON_VALUES))).kind, 'json')
  assert.deepEqual(await read(list(MAX_JSON_VALUES + 1)), { kind: 'too complex', exceeded: 'values' })
})

test('long texts are kept as bytes where an endpoint takes files, and as text elsewhere', async () => {
  const content = 'A/'.repeat(MAX_TEXT_BYTES)
  const text = `{"media":"${content.replaceAll('/', '\\/')}\\n\\u0041","other":"${'x'.repeat(100)}"}`
  const taken = await read(text, true)
  assert.ok(taken.kind === 'json')
  assert.deepEqual(taken.json, { other: 'x'.repeat(100) })
  assert.deepEqual(
    taken.long.map(({ name, bytes }) => [name, bytes.toString()]),
    [['media', `${content}\nA`]],
  )
  assert.deepEqual(await read(text), { kind: 'json', json: JSON.parse(text), long: [] })
  // Only a member of the outermost object is a parameter.
  const deep = `[{"media":"${content}"}]`
  assert.deepEqual(await read(deep, true), { kind: 'json', json: JSON.parse(deep), long: [] })
})

test('besides its files, a body is no larger than others', async () => {
  const rest = Array.from({ length: 60 }, (_, at) => `"m${at}":"${'x'.repeat(100_000)}"`).join(',')
  await assert.rejects(read(`{${rest}}`, true), { reason: 'body too large' })
})
