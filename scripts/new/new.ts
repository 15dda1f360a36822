import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `npm run new`: writes the files of a new endpoint, table, event or kind of task, lists them where
 * the server looks for them, and adds a test that fails until they are written. It overwrites
 * nothing.
 */
const USAGE = `npm run new -- endpoint METHOD PATH ID    endpoint GET '/2/albums/{album_id}' getAlbum
npm run new -- table FOLDER NAME          table src/domain/albums album_members
npm run new -- event FOLDER NAME          event src/domain/albums album.created
npm run new -- task FOLDER NAME           task src/domain/albums 'remove old albums'`

class WrongUsage extends Error {}

/** What a kind of file consists of. Nothing is written before all of it is known. */
interface Draft {
  /** Text of new files, by path. */
  create: Record<string, string>
  /** New text of existing files, by path. */
  change: Record<string, string>
  /** What the contributor does next. */
  next: string[]
}

const KINDS: Record<string, (given: string[]) => Draft> = {
  endpoint: newEndpoint,
  table: newTable,
  event: newEvent,
  task: newTask,
}

try {
  const [kind = '', ...given] = process.argv.slice(2)
  const draft = KINDS[kind]?.(given)
  if (draft === undefined) throw new WrongUsage(`"${kind}" is none of: ${Object.keys(KINDS).join(', ')}`)
  write(draft)
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}

/** An endpoint of the core API, with a recipe for the conformance suite and a journey. */
function newEndpoint([method = '', path = '', id = '']: string[]): Draft {
  const end = path.endsWith('}') ? 'get' : 'list'
  const verb = { GET: end, POST: 'create', PUT: 'update', DELETE: 'delete' }[method]
  check(verb !== undefined, `"${method}" is not GET, POST, PUT or DELETE`)
  check(/^\/2(\/(\w+|\{\w+\}))+$/.test(path), `"${path}" is not a path like /2/albums/{album_id}`)
  check(/^[a-z][A-Za-z0-9]+$/.test(id), `"${id}" is not an id like getAlbum`)
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const each = (value: string) => params.map((name) => `${name}: ${value}`).join(', ')
  const example = params.length > 0 ? `params: { ${each("'1900000000000000042'")} }` : ''
  const folder = path.replace(/\/\{\w+\}/g, '').replace('/2/', '')
  const kit = `src/api/core/${folder}/endpoint.ts`
  const words = {
    ...{ method, path, id },
    up: '../'.repeat(folder.split('/').length + 2),
    params: params.length > 0 ? `  params: { ${each("id('What it identifies.')")} },\n` : '',
    'import of id': '',
    'example of params': example && `${example}, `,
    'example of path': path.replace(/\{\w+\}/g, '1900000000000000042'),
  }
  if (params.length > 0) words['import of id'] = `import { id } from '${words.up}platform/http/schema.ts'\n`
  const file = `src/api/core/${folder}/${verb}.ts`
  const journey = `test/journeys/${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.ts`
  const list = 'src/api/core/endpoints.ts'
  const recipes = 'test/conformance/recipes/core.ts'
  return {
    create: {
      [file]: filled('endpoint', words),
      ...(existsSync(kit) ? {} : { [kit]: filled('endpoint-kit', words) }),
      [journey]: filled('endpoint-test', words),
    },
    change: {
      [list]: `${readFileSync(list, 'utf8')}export { ${id} } from './${folder}/${verb}.ts'\n`,
      [recipes]: withEntry(recipes, `  ${id}: async () => ({ ${example} }),\n}\n`),
    },
    next: [
      `Declare its words, parameters, limits and errors in ${file}, and write its handler.`,
      `Create what a valid call needs in its recipe in ${recipes}.`,
      'Write its rows in test/interface/areas/, from the interface.',
      `Test what its users rely on in ${journey}, which fails now.`,
      'Run `npm run generate`.',
    ],
  }
}

/** A table, with a test that reads a row. */
function newTable([folder = '', name = '']: string[]): Draft {
  const { part, resource } = folderOf(folder)
  check(/^[a-z][a-z0-9_]+$/.test(name), `"${name}" is not a name like album_members`)
  const words = { name, constant: camel(name), Constant: pascal(name) }
  const tables = `${folder}/tables.ts`
  const isNew = !existsSync(tables)
  const head = isNew
    ? "import { bigint, id64, table } from '../../platform/storage/table.ts'\n"
    : readFileSync(tables, 'utf8')
  const list = `src/${part}/tables.ts`
  const listed = readFileSync(list, 'utf8').replace(/,?(\s*\] as const)/, `, ${camel(resource)}$1`)
  const listing = `import * as ${camel(resource)} from './${resource}/tables.ts'\n${listed}`
  const test = `${folder}/${name.replaceAll('_', '-')}.test.ts`
  return {
    create: {
      ...(isNew && { [tables]: head + filled('table', words) }),
      [test]: filled('table-test', words),
    },
    change: isNew ? { [list]: listing } : { [tables]: head + filled('table', words) },
    next: [
      `Declare its columns and indexes in ${tables}.`,
      'Run `npm run generate`, which writes the schema of both databases.',
      `Write its queries in ${folder}/queries.ts, and test what they are for in ${test}, which fails now.`,
    ],
  }
}

/** A kind of event, with a test of the change that emits it. */
function newEvent([folder = '', name = '']: string[]): Draft {
  folderOf(folder)
  check(/^[a-z-]+\.[a-z-]+$/.test(name), `"${name}" is not a name like album.created`)
  const subject = `${name.replace(/\..*/, '').replaceAll('-', '_')}_id`
  const words = { name, subject, constant: camel(name) }
  const events = `${folder}/events.ts`
  const isNew = !existsSync(events)
  const head = isNew
    ? "import { eventKind } from '../../platform/events/event.ts'\n"
    : readFileSync(events, 'utf8')
  const test = `${folder}/${name.replace('.', '-')}.test.ts`
  return {
    create: {
      ...(isNew && { [events]: head + filled('event', words) }),
      [test]: filled('event-test', words),
    },
    change: isNew ? {} : { [events]: head + filled('event', words) },
    next: [
      `Declare its data in ${events}: ids and plain values.`,
      `Emit it in the transaction of the change, and make that change in ${test}, which fails now.`,
      'Handle it in a consumer, which the module.ts of its folder lists.',
    ],
  }
}

/** A kind of task, with a test that runs it. */
function newTask([folder = '', name = '']: string[]): Draft {
  const { part, resource } = folderOf(folder)
  check(/^[a-z]+( [a-z]+)+$/.test(name), `"${name}" is not a name like "remove old albums"`)
  const words = {
    name,
    constant: camel(name),
    file: name.replaceAll(' ', '-'),
    resource: camel(resource),
  }
  const module = `${folder}/module.ts`
  const isNew = !existsSync(module)
  const list = 'src/app/modules.ts'
  const listed = withEntry(list, `  ${camel(resource)},\n]\n`)
  const listing = `import { ${camel(resource)} } from '../${part}/${resource}/module.ts'\n${listed}`
  return {
    create: {
      [`${folder}/${words.file}.ts`]: filled('task', words),
      [`${folder}/${words.file}.test.ts`]: filled('task-test', words),
      ...(isNew && { [module]: filled('module', words) }),
    },
    change: isNew ? { [list]: listing } : {},
    next: [
      ...(isNew ? [] : [`List ${camel(name)}Kind in ${module}.`]),
      `Write its run in ${folder}/${words.file}.ts, and choose its lease and backoff.`,
      `Enqueue it in the transaction of a change. ${folder}/${words.file}.test.ts fails now.`,
      'Add it to the table of tasks in ARCHITECTURE.md.',
    ],
  }
}

function write({ create, change, next }: Draft): void {
  for (const path of Object.keys(create)) check(!existsSync(path), `${path} exists`)
  for (const [path, text] of Object.entries({ ...create, ...change })) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(path in create ? `wrote ${path}` : `changed ${path}`)
  }
  const paths = [...Object.keys(create), ...Object.keys(change)]
  // Sorts imports and breaks lines.
  execFileSync('node_modules/.bin/biome', ['check', '--write', '--linter-enabled=false', ...paths])
  console.log(['', 'Next:', ...next.map((step, index) => `${index + 1}. ${step}`)].join('\n'))
}

/** A template with its placeholders replaced: `{{name}}`. */
function filled(template: string, words: Record<string, string>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', `${template}.txt`), 'utf8')
  return text.replace(/\{\{([\w ]+)\}\}/g, (_, name) => words[name] ?? '')
}

/** The text of a file whose last object or list gets one more entry, which ends it. */
function withEntry(path: string, entry: string): string {
  return readFileSync(path, 'utf8').replace(/[\]}]\n$/, entry)
}

/** The part of `src/` and the resource of a folder such as `src/domain/albums`. */
function folderOf(folder: string): { part: string; resource: string } {
  const [, part, resource] = /^src\/(identity|domain|delivery)\/([a-z-]+)$/.exec(folder) ?? []
  check(
    part !== undefined && resource !== undefined,
    `"${folder}" is not a folder of src/identity, src/domain or src/delivery`,
  )
  return { part, resource }
}

function pascal(words: string): string {
  const parts = words.split(/[^a-z0-9]+/)
  return parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function camel(words: string): string {
  return words.charAt(0) + pascal(words).slice(1)
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new WrongUsage(message)
}
