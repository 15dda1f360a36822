import { stat } from 'node:fs/promises'
import { ImportStopped } from '../../../../domain/posts/import/import.ts'
import { theUser } from '../../../../workbench/create/find-user.ts'
import { NotThere } from '../../../../workbench/create/wrong.ts'
import type { ImportRun, ImportServices } from '../../../../workbench/imports/post-imports.ts'
import { addCatalog, catalogsOfUser, lockCatalog } from '../queries.ts'
import type { ProductCatalogRow } from '../tables.ts'
import type { FeedFormat } from './feed.ts'
import { importFeed } from './import.ts'
import { FeedError } from './item.ts'

/** What an import of products says while it runs, in order: `result` or `error` is the last. */
export interface ProductMessage {
  readonly progress?: {
    readonly pass: 'checking' | 'importing'
    /** From 0 to 1. */
    readonly share: number
    readonly count: number
  }
  /** What is wrong with a product. With an error, it is rejected. */
  readonly problem?: {
    readonly line: number
    readonly id: string | null
    readonly kind: 'error' | 'warning'
    readonly message: string
  }
  readonly result?: {
    readonly product_catalog_id: string
    readonly name: string
    readonly created: number
    readonly updated: number
    readonly unchanged: number
    readonly rejected: number
  }
  readonly error?: string
}

/** A catalog: by its id, or that of a user, which is created with a name if there is none. */
export interface CatalogChoice {
  readonly catalogId?: string | undefined
  readonly user?: string | undefined
  readonly environment: 'production' | 'sandbox'
  readonly name?: string | undefined
}

interface FeedOptions {
  readonly catalog: ProductCatalogRow
  readonly format: FeedFormat | undefined
  readonly encoding: string | undefined
  readonly fetchImages: boolean
}

/** Imports a product feed into a catalog by the rules of the API. */
export async function importProductFile(
  file: string,
  { catalog, ...options }: FeedOptions,
  services: ImportServices,
  run: ImportRun<ProductMessage>,
): Promise<void> {
  const { size } = await stat(file)
  const problems: ProductMessage[] = []
  let progress: ProductMessage['progress']
  try {
    const counts = await importFeed(
      { ...options, file, catalogId: catalog.id },
      { ...services, parts: services },
      {
        progress: (pass, bytes, count) => {
          progress = { pass, share: size === 0 ? 1 : bytes / size, count }
        },
        report: (line, id, kind, message) =>
          void problems.push({ problem: { line, id: id ?? null, kind, message } }),
        async written() {
          for (const problem of problems.splice(0)) await run.say(problem)
          if (progress) await run.say({ progress })
          if (run.signal.aborted) throw new ImportStopped('the import was stopped')
        },
      },
    )
    const { CREATE_SUCCESS: created, UPDATE_SUCCESS: updated, NO_CHANGE: unchanged, ERROR: rejected } = counts
    const { id: product_catalog_id, name } = catalog
    await run.say({ result: { product_catalog_id, name, created, updated, unchanged, rejected } })
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
    for (const problem of problems) await run.say(problem)
    await run.say({ error: error.message })
  }
}

/**
 * The catalog to import into.
 * @throws NotThere
 */
export function chosenCatalog(
  { catalogId, user, environment, name }: CatalogChoice,
  { store, ids }: Pick<ImportServices, 'store' | 'ids'>,
): Promise<ProductCatalogRow> {
  return store.write(async (tx) => {
    if (catalogId !== undefined) {
      const row = await tx.first(lockCatalog, { id: catalogId })
      if (!row) throw new NotThere(`There is no product catalog ${catalogId}.`)
      return row
    }
    const owner = await theUser(tx, user ?? '')
    const [known] = await tx.all(catalogsOfUser, { user: owner.id, environment })
    if (known) return known
    if (name === undefined)
      throw new NotThere(
        `@${owner.screen_name} has no product catalog. Create one with a name, or through the API.`,
      )
    const row: ProductCatalogRow = {
      id: ids.next(),
      environment,
      user_id: owner.id,
      name,
      revision: 0,
      sets: 0,
      filtered_sets: 0,
      created_at: tx.now,
    }
    await tx.run(addCatalog, row)
    return row
  })
}
