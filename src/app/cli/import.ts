import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MAX_NAME } from '../../api/ads/catalogs/catalog.ts'
import { decoderOf } from '../../api/ads/catalogs/feed/encoded.ts'
import { FEED_FORMATS, type FeedFormat } from '../../api/ads/catalogs/feed/feed.ts'
import { type ImportCounts, type ImportListener, importFeed } from '../../api/ads/catalogs/feed/import.ts'
import { addCatalog, catalogsOfUser, lockCatalog } from '../../api/ads/catalogs/queries.ts'
import type { ProductCatalogRow } from '../../api/ads/catalogs/tables.ts'
import { userNamed } from '../../identity/users/named.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'
import { Progress } from './progress.ts'
import { shortText } from './values.ts'

/** `plaza import products`. Exits with 1 when a product was rejected. */
export async function products({ flags, positionals, config }: Call): Promise<number> {
  const [file = ''] = positionals
  const format = formatNamed(flags.text('format'))
  const encoding = flags.text('encoding')
  if (encoding !== undefined && !decoderOf(encoding))
    throw new UsageError(
      `--encoding must be the name of an encoding, such as latin1 or utf-16le, not "${encoding}"`,
    )
  const { size } = statSync(file)
  const { catalog, counts } = await withInstallation(config, async (installation) => {
    const catalog = await catalogNamed(flags, installation)
    const plan = {
      file,
      format,
      encoding,
      catalogId: catalog.id,
      fetchImages: config.fetchImages,
    }
    const progress = new Progress({ clock: installation.parts.clock, of: 'products' })
    const counts = await importFeed(
      plan,
      installation,
      listenerOf({ file, size, asJson: flags.on('json') }, progress),
    ).finally(() => progress.clear())
    return { catalog, counts }
  })
  printCounts(flags, catalog, file, counts)
  return counts.ERROR > 0 ? 1 : 0
}

function formatNamed(text: string | undefined): FeedFormat | undefined {
  const format = FEED_FORMATS.find((one) => one === text)
  if (format === undefined && text !== undefined)
    throw new UsageError(`--format must be one of ${FEED_FORMATS.join(', ')}, not "${text}"`)
  return format
}

/** The catalog to import into: by its id, or by its user. */
async function catalogNamed(flags: Flags, { store, parts }: Installation): Promise<ProductCatalogRow> {
  const id = flags.text('catalog')
  const who = flags.text('user')
  if ((id === undefined) === (who === undefined))
    throw new UsageError('either --catalog or --user is required')
  if (id !== undefined) {
    const row = await store.write((tx) => tx.first(lockCatalog, { id }))
    if (!row) throw new Error(`There is no product catalog ${id}.`)
    return row
  }
  const user = (await userNamed(store, who ?? '')).id
  const environment = flags.on('sandbox') ? 'sandbox' : 'production'
  const [known] = await store.all(catalogsOfUser, { user, environment })
  if (known) return known
  if (flags.text('name') === undefined)
    throw new Error(`@${who} has no product catalog. Create one with --name, or through the API.`)
  const row: ProductCatalogRow = {
    id: parts.ids.next(),
    environment,
    user_id: user,
    name: shortText(flags, 'name', MAX_NAME),
    revision: 0,
    sets: 0,
    filtered_sets: 0,
    created_at: parts.clock.now(),
  }
  await store.write((tx) => tx.run(addCatalog, row))
  return row
}

/** Reports products with errors or warnings, and the progress of the import. */
function listenerOf(
  { file, size, asJson }: { file: string; size: number; asJson: boolean },
  progress: Progress,
): ImportListener {
  return {
    progress: (pass, bytes, products) =>
      progress.show({ pass, share: size === 0 ? 1 : bytes / size, count: products }),
    report(line, id, kind, sentence) {
      progress.clear()
      if (asJson) console.log(JSON.stringify({ line, id: id ?? null, kind, message: sentence }))
      else console.error(`${file}:${line}: ${kind}: ${id === undefined ? '' : `${id}: `}${sentence}`)
    },
  }
}

function printCounts(flags: Flags, catalog: ProductCatalogRow, file: string, counts: ImportCounts): void {
  const { CREATE_SUCCESS: created, UPDATE_SUCCESS: updated, NO_CHANGE: unchanged, ERROR: rejected } = counts
  if (flags.on('json')) {
    console.log(JSON.stringify({ product_catalog_id: catalog.id, created, updated, unchanged, rejected }))
    return
  }
  console.log(`Imported ${resolve(file)} into the catalog ${catalog.name} (${catalog.id}).`)
  console.log(`Created ${created}  Updated ${updated}  Unchanged ${unchanged}  Rejected ${rejected}`)
}
