import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualSet } from '../../../../test/support/catalogs.ts'
import { compileReply, StreamedJson } from '../../../platform/http/reply.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { ProductSet, shownSets } from './product-set.ts'

/** The most products that are read at a time. */
const AT_ONCE = 2_000

const row = manualSet({ id: '1', catalog_id: '2' })

/** A store with a set of some products, and how many of them each read returned. */
function storeOf(count: number) {
  const ids = Array.from({ length: count }, (_, n) => `"sku" ${String(n).padStart(6, '0')}`)
  const reads: number[] = []
  const all = async (_: unknown, { after, limit }: { after: string; limit: number }) => {
    const from = after === '' ? 0 : ids.indexOf(after) + 1
    const page = ids.slice(from, from + limit).map((id) => ({ id, product_key: id }))
    reads.push(page.length)
    return page
  }
  return { ids, reads, store: { all } as unknown as Pick<Store, 'all'> }
}

const write = compileReply(ProductSet, neutralVocabulary)

test('the products of a small set are part of its reply', async () => {
  for (const count of [0, 1, AT_ONCE - 1]) {
    const { ids, reads, store } = storeOf(count)
    const { data, streamed } = await shownSets([row], store)
    assert.deepEqual([reads, streamed], [[count], []])
    assert.deepEqual(JSON.parse(write(data[0])).product_ids, ids)
  }
})

test('the products of a large set are read while the reply is sent, in pieces', async () => {
  for (const count of [AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE, 3 * AT_ONCE + 5]) {
    const { ids, reads, store } = storeOf(count)
    const { data, streamed } = await shownSets([row], store)
    const [stream] = streamed
    assert.ok(stream instanceof StreamedJson && streamed.length === 1)
    assert.equal(write(data[0]).split(stream.text).length, 2)
    assert.deepEqual(reads, [AT_ONCE])
    const pieces: string[] = []
    for await (const piece of stream.read()) {
      pieces.push(piece)
      // Nothing is read before what was read is sent.
      assert.ok(reads.length <= pieces.length)
      assert.ok(piece.split('sku').length - 1 <= AT_ONCE)
    }
    assert.deepEqual(JSON.parse(pieces.join('')), ids)
  }
})
