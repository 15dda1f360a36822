import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entities } from '../src/api/ads/entity/entity.ts'
import { views } from '../src/api/ads/views.ts'
import { documentedEndpoints, endpoints } from '../src/app/endpoints.ts'
import { openApi } from '../src/app/openapi/openapi.ts'
import { DOCUMENTS } from '../src/app/openapi/schemas.ts'
import { seedParts, seedSchema } from '../src/app/seed/seed-file.ts'
import { fixedTables } from '../src/app/tables.ts'
import { jsonText } from '../src/platform/common/exact-json.ts'
import { VERSION } from '../src/platform/common/version.ts'
import { configTable } from '../src/platform/config/config.ts'
import { vocabularySchema } from '../src/platform/http/vocabulary-schema.ts'
import { schemaSql } from '../src/platform/storage/ddl.ts'
import type { Document, SchemaObject } from './client/document.ts'
import { operationTable } from './client/operations.ts'
import { callsOf, interfacesOf, typesOf } from './client/types.ts'
import { coveragePage } from './coverage-page.ts'
import { endpointsPage } from './endpoints-page.ts'
import { errorsPage } from './errors-page.ts'
import { queryLanguagePage } from './query-language-page.ts'
import { committedSeen } from './seen.ts'

/**
 * `npm run generate`: writes everything that is derived from the declarations and from
 * `test/seen.json`. `--check` writes nothing, and fails if a file is out of date.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const REFERENCE = 'docs/reference'
const CLIENT = 'src/client/generated'
const ADMIN_TYPES = 'src/app/admin-types.ts'
const SEED_TYPES = 'src/app/seed-types.ts'
const SETTINGS_PAGE = 'docs/guides/settings.md'
const SETTINGS = /(<!-- settings -->)[\s\S]*?(<!-- \/settings -->)/

const isCheck = process.argv.includes('--check')
const wanted = generated()
const stale = [...wanted].filter(([path, text]) => current(path) !== text).map(([path]) => path)
const left = existsSync(join(root, REFERENCE))
  ? readdirSync(join(root, REFERENCE))
      .map((name) => `${REFERENCE}/${name}`)
      .filter((path) => !wanted.has(path))
  : []

if (isCheck) check()
else write()

function check(): void {
  if (stale.length + left.length === 0) return
  console.error('Out of date:')
  for (const path of stale) console.error(`  ${path}`)
  for (const path of left) console.error(`  ${path} (belongs to nothing any more)`)
  console.error('Run `npm run generate` and commit what it writes.')
  process.exitCode = 1
}

function write(): void {
  for (const path of stale) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, wanted.get(path) as string)
    console.log(`wrote ${path}`)
  }
  for (const path of left) {
    rmSync(join(root, path))
    console.log(`removed ${path}`)
  }
}

function current(path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Path and text of every generated file. */
function generated(): Map<string, string> {
  const files = new Map<string, string>()
  const documents = DOCUMENTS.map((name) => openApi(name, documentedEndpoints, { version: VERSION }))
  for (const [index, name] of DOCUMENTS.entries())
    files.set(`openapi/${name}.json`, `${jsonText(documents[index], 2)}\n`)
  addClient(files, documents)
  const tables = [...fixedTables, ...entities.map(({ table }) => table)]
  for (const dialect of ['sqlite', 'postgres'] as const)
    files.set(`src/platform/storage/schema/${dialect}.sql`, schemaSql(tables, dialect, views))
  files.set('docs/seed.schema.json', `${jsonText(seedSchema(), 2)}\n`)
  files.set(SEED_TYPES, seedTypes())
  files.set('docs/vocabulary.schema.json', `${jsonText(vocabularySchema(), 2)}\n`)
  const pages = {
    'endpoints.md': endpointsPage(endpoints),
    'errors.md': errorsPage(),
    'query-language.md': queryLanguagePage(),
    'coverage.md': coveragePage(endpoints, committedSeen()),
  }
  for (const [name, text] of Object.entries(pages)) files.set(`${REFERENCE}/${name}`, text)
  const settings = current(SETTINGS_PAGE)
  if (settings !== undefined) files.set(SETTINGS_PAGE, withSettings(settings))
  return files
}

/** The types and operations of the client, and the types of the admin API. */
function addClient(files: Map<string, string>, documents: readonly object[]): void {
  const [core, ads, admin] = documents.map((document) => JSON.parse(jsonText(document)) as Document)
  if (!core || !ads || !admin) throw new Error('the documents are not there')
  files.set(`${CLIENT}/core.ts`, typesOf('Core', core))
  files.set(`${CLIENT}/ads.ts`, typesOf('Ads', ads))
  const calls = callsOf('AdminCalls', admin, '/admin/v1')
  const upload = 'type Upload = AsyncIterable<Uint8Array> | Uint8Array | string'
  const int64 = "import type { Int64 } from '../platform/common/int64.ts'"
  files.set(ADMIN_TYPES, `${int64}\n\n/** A body that is not JSON. */\n${upload}\n\n${calls}`)
  const imports = "import type { Ads } from './ads.ts'\nimport type { Core } from './core.ts'\n"
  const tables = [operationTable('CORE', 'Core', core), operationTable('ADS', 'Ads', ads)]
  files.set(`${CLIENT}/operations.ts`, [imports, ...tables].join('\n'))
}

/** The types of the seeds that programs pass. */
function seedTypes(): string {
  const types = interfacesOf(JSON.parse(jsonText(seedParts())) as Record<string, SchemaObject>)
  return `import type { Int64 } from '../platform/common/int64.ts'\n\n${types}`
}

function withSettings(page: string): string {
  return page.replace(SETTINGS, (_, start, end) => `${start}\n\n${configTable()}\n\n${end}`)
}
