import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import { encode } from '../../common/percent.ts'
import { MAX_PAIRS, MAX_TEXT_BYTES, MalformedPair, type Pair, parsePairs, readForm } from './form.ts'

test('pairs keep their order and repetitions', () => {
  assert.deepEqual(parsePairs('z=9&a=b&a=B&a='), [
    ['z', '9'],
    ['a', 'b'],
    ['a', 'B'],
    ['a', ''],
  ])
})

test('a name without an equals sign has an empty value, and only the first equals sign separates', () => {
  assert.deepEqual(parsePairs('bare&k=v=w==&=x&='), [
    ['bare', ''],
    ['k', 'v=w=='],
    ['', 'x'],
    ['', ''],
  ])
})

test('empty segments are skipped', () => {
  assert.deepEqual(parsePairs(''), [])
  assert.deepEqual(parsePairs('&&'), [])
  assert.deepEqual(parsePairs('&a=1&&b=2&'), [
    ['a', '1'],
    ['b', '2'],
  ])
})

test('plus is a space and escapes are UTF-8, in names as in values; an escaped separator separates nothing', () => {
  assert.deepEqual(parsePairs('a+b=c+d%2Be&%C3%A4%26%3D=%26%3D'), [
    ['a b', 'c d+e'],
    ['ä&=', '&='],
  ])
})

test('a malformed escape in any name or value rejects the whole text', () => {
  for (const text of ['a=%', '%=a', 'a=1&b=%zz', '%C3&a=1', 'a=1&b=%FF'])
    assert.equal(parsePairs(text), undefined)
})

test('the greatest number of pairs is accepted and one more is rejected', () => {
  const most = Array.from({ length: MAX_PAIRS }, (_, index) => `k${index}=v`).join('&')
  assert.equal(parsePairs(most)?.length, MAX_PAIRS)
  assert.equal(parsePairs(`${most}&`)?.length, MAX_PAIRS)
  assert.equal(parsePairs(`${most}&k`), undefined)
})

test('an encoded value decodes to the same value', () => {
  const text = () => unicodeText()
  fc.assert(
    fc.property(fc.array(fc.tuple(text(), text())), (pairs: Pair[]) => {
      const sent = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
      assert.deepEqual(parsePairs(sent), pairs)
    }),
    { seed: 4, numRuns: 1000 },
  )
})

test('arbitrary text never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(unicodeText(), fc.string({ unit: fc.constantFrom('&', '=', '%', '+', 'a', '4') })),
      (text) => {
        const pairs = parsePairs(text)
        if (pairs !== undefined) for (const pair of pairs) assert.equal(pair.length, 2)
      },
    ),
    { seed: 5, numRuns: 2000 },
  )
})

test('a megabyte of separators, of percent signs or of text is read in one pass', () => {
  const before = process.threadCpuUsage()
  for (const unit of ['&', '=', '%', '+', 'a', 'a&', '&=', '%%=']) parsePairs(unit.repeat(1_000_000))
  parsePairs(`${'&'.repeat(1_000_000)}=`)
  // Counts work, not time: a reader that scans the text repeatedly would take hours.
  assert.ok(process.threadCpuUsage(before).user < 60e6)
})

test('a form of any length is read like a short one', async () => {
  const text = fc.string({ unit: fc.constantFrom('&', '=', '%', '+', 'a', 'é', '%C3%A9', '%26', '😀') })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 20 }), fc.nat(), async (parts, at) => {
      // Longer than what is read at once.
      const padding = 'p='.padEnd(70_000, 'x')
      const sent = parts.toSpliced(at % (parts.length + 1), 0, padding).join('&')
      const read = await readForm(Buffer.from(sent))
      assert.deepEqual(read instanceof MalformedPair ? undefined : read, shortForm(sent))
    }),
    { seed: 6, numRuns: 300 },
  )
})

function shortForm(sent: string) {
  const pairs = parsePairs(sent)
  return pairs && { pairs, long: [] }
}

test('values that are too long for a text are kept as bytes', async () => {
  const value = 'é &='.repeat(MAX_TEXT_BYTES)
  const form = await readForm(Buffer.from(`a=b&media=${encode(value)}&c=d`))
  assert.ok(!(form instanceof MalformedPair))
  assert.deepEqual(form.pairs, [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(
    form.long.map(({ name, bytes }) => [name, bytes.toString()]),
    [['media', value]],
  )
})

test('a form that is not UTF-8, or has a malformed pair or too many, is rejected, however long it is', async () => {
  const long = 'x'.repeat(100_000)
  for (const text of [
    `${long}%`,
    `a=${long}%4`,
    `a=${long}%FF`,
    `%=${long}`,
    'k&'.repeat(MAX_PAIRS + 1),
    long,
  ])
    assert.ok((await readForm(Buffer.from(text))) instanceof MalformedPair, text.slice(-20))
  assert.ok((await readForm(Buffer.from('a=\xe9', 'latin1'))) instanceof MalformedPair)
  const named = await readForm(Buffer.from(`media=${long}%`))
  assert.ok(named instanceof MalformedPair && named.name === 'media')
})
