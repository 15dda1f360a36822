import type { IdentityDependencies } from '../../../../identity/apps/parts.ts'
import { neutralVocabulary } from '../../../../platform/http/vocabulary.ts'
import { Repeated } from '../../../../platform/storage/repeated.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import type { UpsertStatus } from '../image-list.ts'
import { lockCatalog } from '../queries.ts'
import { type ProductReader, productReader } from '../read-product.ts'
import { upsertProducts } from '../upsert.ts'
import { type FeedPlan, readFeed, submitted } from './feed.ts'
import type { FeedItem } from './item.ts'

/** Products per transaction. Other work runs in between. */
const PRODUCTS_AT_ONCE = 50

export interface ImportPlan extends FeedPlan {
  file: string
  catalogId: string
  fetchImages: boolean
}

/** Progress and problems of an import. */
export interface ImportListener {
  /** The number of bytes read, the pass (of two), and the number of products. */
  progress(pass: 'checking' | 'importing', bytes: number, products: number): void
  /** A product that was rejected, or has warnings. */
  report(line: number, id: string | undefined, kind: 'error' | 'warning', sentence: string): void
  /** Called after each transaction. The next one waits for it. */
  written?(): Promise<void>
}

export type ImportCounts = Record<UpsertStatus, number>

/**
 * Imports a feed by the rules of the API. The file is read twice, because an id that occurs several
 * times is ignored each time, and that is only known at the end. Throws FeedError; products
 * imported so far are kept.
 */
export async function importFeed(
  plan: ImportPlan,
  { store, parts }: { store: Store; parts: Pick<IdentityDependencies, 'clock' | 'ids'> },
  listener: ImportListener,
): Promise<ImportCounts> {
  const reader = productReader(neutralVocabulary)
  const repeated = new Repeated()
  try {
    for await (const { id } of itemsOf(plan, 'checking', listener)) if (id !== undefined) repeated.add(id)
    const counts: ImportCounts = { CREATE_SUCCESS: 0, UPDATE_SUCCESS: 0, NO_CHANGE: 0, ERROR: 0 }
    let batch: ImportItem[] = []
    const write = async () => {
      if (batch.length > 0) await writeBatch(batch, plan, { store, parts, reader, listener, counts })
      batch = []
      await listener.written?.()
    }
    for await (const item of itemsOf(plan, 'importing', listener)) {
      if (item.id !== undefined && repeated.has(item.id))
        item.problem = 'this id occurs several times in the file'
      batch.push(item)
      if (batch.length === PRODUCTS_AT_ONCE) await write()
    }
    await write()
    return counts
  } finally {
    repeated.close()
  }
}

interface ImportItem extends FeedItem {
  id: string | undefined
}

async function* itemsOf(
  { file, format, encoding }: ImportPlan,
  pass: 'checking' | 'importing',
  listener: ImportListener,
): AsyncGenerator<ImportItem> {
  let bytes = 0
  let products = 0
  const items = readFeed(file, { format, encoding }, (more) => {
    bytes += more
    listener.progress(pass, bytes, products)
  })
  for await (const item of items) {
    products++
    const id = item.fields.id?.trim()
    yield { ...item, id: id === '' ? undefined : id }
  }
  listener.progress(pass, bytes, products)
}

interface ImportContext {
  store: Store
  parts: Pick<IdentityDependencies, 'clock' | 'ids'>
  reader: ProductReader
  listener: ImportListener
  counts: ImportCounts
}

async function writeBatch(
  batch: readonly ImportItem[],
  plan: ImportPlan,
  writing: ImportContext,
): Promise<void> {
  const { store, parts, reader, listener, counts } = writing
  const { catalogId, fetchImages } = plan
  for (const { line, id, problem } of batch) {
    if (problem === undefined) continue
    counts.ERROR++
    listener.report(line, id, 'error', problem)
  }
  const good = batch.filter(({ problem }) => problem === undefined)
  const products = good.map(({ fields }) => reader.read(submitted(fields)))
  const results = await store.write(async (tx) => {
    const catalog = await tx.first(lockCatalog, { id: catalogId })
    if (!catalog) throw new Error(`The catalog ${catalogId} is gone.`)
    return upsertProducts(products, {
      tx,
      catalog,
      reader,
      fetchImages,
      ids: parts.ids,
    })
  })
  for (const [index, { status, errors, warnings }] of results.entries()) {
    const { line, id } = good[index] as ImportItem
    counts[status]++
    for (const sentence of errors) listener.report(line, id, 'error', sentence)
    for (const sentence of warnings) listener.report(line, id, 'warning', sentence)
  }
}
