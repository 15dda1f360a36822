import type { IdSource } from '../../../platform/common/ids.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import type { Task } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { imagesOf, type ProductItem } from './product-fields.ts'
import { addImage, imagesOfProducts, removeImage } from './queries.ts'
import type { ProductReader } from './read-product.ts'
import type { ProductCatalogRow } from './tables.ts'
import { checkImage } from './tasks.ts'

/** The result of one product (interface, states). */
export type UpsertStatus = 'CREATE_SUCCESS' | 'UPDATE_SUCCESS' | 'NO_CHANGE' | 'ERROR'

export interface UpsertResult {
  warnings: string[]
  errors: string[]
  product_key: string | null
  id: string | null
  status: UpsertStatus
}

/** What is needed to write products, in a transaction that has locked their catalog. */
export interface UpsertContext {
  tx: Transaction
  catalog: ProductCatalogRow
  reader: ProductReader
  ids: IdSource
  /** Whether images are fetched and their problems reported. */
  fetchImages: boolean
}

/**
 * Records which images of products must be fetched, and reports the problems of fetched ones. An
 * image with a problem is fetched again, because it may have been fixed.
 */
export async function imageWarnings(
  items: readonly ProductItem[],
  results: readonly UpsertResult[],
  { tx, catalog, reader }: Pick<UpsertContext, 'tx' | 'catalog' | 'reader'>,
): Promise<void> {
  const written = results.flatMap((result, index) => {
    const { product_key, status } = result
    return product_key === null || status === 'ERROR'
      ? []
      : [{ result, product_key, item: items[index] ?? {} }]
  })
  const keys = JSON.stringify(written.map(({ product_key }) => product_key))
  const { id: ofCatalog, user_id: user } = catalog
  const taskOf = (product: string, url: string) => checkImage.task({ catalog: ofCatalog, product, url, user })
  const due: Task[] = []
  const known = await tx.all(imagesOfProducts, { catalog: catalog.id, keys })
  for (const { result, product_key, item } of written) {
    const urls = new Map(fieldsOf(item))
    for (const image of known.filter((image) => image.product_key === product_key)) {
      const field = urls.get(image.url)
      urls.delete(image.url)
      if (field === undefined) await tx.run(removeImage, image)
      else if (image.problem !== null) {
        result.warnings.push(`${reader.name(field)} ${image.problem}: ${image.url}`)
        due.push(taskOf(product_key, image.url))
      }
    }
    for (const url of urls.keys()) {
      await tx.run(addImage, { catalog_id: catalog.id, product_key, url, problem: null })
      due.push(taskOf(product_key, url))
    }
  }
  await enqueue(tx, ...due)
}

/** The image URLs of a product, each with its field. */
function fieldsOf({ image_link, additional_image_link }: ProductItem): [string, string][] {
  const more = additional_image_link === undefined ? [] : imagesOf(String(additional_image_link))
  return [
    ...more.map((url): [string, string] => [url, 'additional_image_link']),
    ...(image_link === undefined ? [] : [[String(image_link), 'image_link'] satisfies [string, string]]),
  ]
}
