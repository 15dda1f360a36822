import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_NAME } from '../../api/ads/catalogs/catalog.ts'
import { decoderOf } from '../../api/ads/catalogs/feed/encoded.ts'
import { FEED_FORMATS, type FeedFormat } from '../../api/ads/catalogs/feed/feed.ts'
import {
  type CatalogChoice,
  chosenCatalog,
  importProductFile,
  type ProductMessage,
} from '../../api/ads/catalogs/feed/feed-import.ts'
import { NO_DICTIONARY } from '../../domain/annotations/dictionary.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { followAdmin } from '../admin-client.ts'
import { runningAdmin } from './admin.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import { withInstallation } from './installation.ts'
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
  const choice = choiceIn(flags)
  const progress = new Progress({ clock: systemClock, of: 'products' })
  const output = outputOf({ flags, file }, progress)
  // Before anything else, so that a wrong path is what the error names.
  await access(file)
  const running = await runningAdmin(config)
  try {
    if (running) {
      const { catalogId: catalog_id, ...rest } = choice
      const given = Object.entries({ catalog_id, ...rest, format, encoding })
      const query = new URLSearchParams(given.filter((one): one is [string, string] => one[1] !== undefined))
      const sent = { send: createReadStream(file), type: 'application/octet-stream', method: 'POST' } as const
      for await (const message of followAdmin<ProductMessage>(running, `/products/import?${query}`, sent))
        output.say(message)
    } else {
      await withInstallation(config, async ({ store, parts }) => {
        const services = { ...parts, store, dictionary: NO_DICTIONARY, vocabulary: neutralVocabulary }
        const catalog = await chosenCatalog(choice, services)
        const { fetchImages } = config
        const run = { signal: new AbortController().signal, say: output.say }
        await importProductFile(file, { catalog, format, encoding, fetchImages }, services, run)
      })
    }
  } finally {
    progress.clear()
  }
  return output.end()
}

function formatNamed(text: string | undefined): FeedFormat | undefined {
  const format = FEED_FORMATS.find((one) => one === text)
  if (format === undefined && text !== undefined)
    throw new UsageError(`--format must be one of ${FEED_FORMATS.join(', ')}, not "${text}"`)
  return format
}

/** The catalog to import into: by its id, or by its user. */
function choiceIn(flags: Flags): CatalogChoice {
  const catalogId = flags.text('catalog')
  const user = flags.text('user')
  if ((catalogId === undefined) === (user === undefined))
    throw new UsageError('either --catalog or --user is required')
  const environment = flags.on('sandbox') ? 'sandbox' : 'production'
  const name = flags.text('name') === undefined ? undefined : shortText(flags, 'name', MAX_NAME)
  return { catalogId, user, environment, name }
}

/** Prints what an import says. */
function outputOf({ flags, file }: { flags: Flags; file: string }, progress: Progress) {
  let result: ProductMessage['result']
  let failure: string | undefined
  const asJson = flags.on('json')
  const report = ({ line, id, kind, message }: NonNullable<ProductMessage['problem']>) => {
    progress.clear()
    if (asJson) console.log(JSON.stringify({ line, id, kind, message }))
    else console.error(`${file}:${line}: ${kind}: ${id === null ? '' : `${id}: `}${message}`)
  }
  return {
    say(message: ProductMessage): void {
      if (message.progress) progress.show(message.progress)
      if (message.problem) report(message.problem)
      result = message.result
      failure = message.error
    },
    /** Prints the result. Resolves to the exit code. */
    end(): number {
      if (!result)
        throw new Error(failure ?? 'The import ended without a result. Run the same command again.')
      const { name, ...counts } = result
      const { product_catalog_id: catalog, created, updated, unchanged, rejected } = counts
      if (asJson) console.log(JSON.stringify(counts))
      else {
        console.log(`Imported ${resolve(file)} into the catalog ${name} (${catalog}).`)
        console.log(`Created ${created}  Updated ${updated}  Unchanged ${unchanged}  Rejected ${rejected}`)
      }
      return rejected > 0 ? 1 : 0
    },
  }
}
