// Builds `dist/`: the program as a few files that start at once. Runs at the end of `npm ci`, and
// in `npm run build`. Plain JavaScript for the Node that installs, which may be too old for the
// sources.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { filesBelow, STAMP, stampOf } from '../bin/stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'src')
const modules = join(root, 'node_modules')
/**
 * Each build has a folder of its own here, named after its contents; `main.js` and `index.js` lead
 * to the newest.
 */
const dist = join(root, 'dist')

/**
 * What stays a dependency of the package: what is loaded at its first use and most never use, or
 * has files of its own.
 */
export const EXTERNAL = [
  ...['@aws-sdk/client-s3', '@redis/client', 'mediainfo.js', 'pg', 'saxes', 'undici'],
  ...['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map((name) => `@opentelemetry/${name}`),
]
const ENTRIES = { main: "import './BUILD/main.js'\n", index: "export * from './BUILD/index.js'\n" }
const UNFINISHED = 'unfinished-'
/**
 * How many builds stay, the newest included: a Plaza that runs loads files of its build when it
 * first needs them.
 */
const KEPT_BUILDS = 10
/** Only what was interrupted takes longer. */
const UNFINISHED_MS = 3_600_000
const LIBRARIES = 'libraries'
/** Parts of the web framework that Plaza switches off. They would be a third of the bundle. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']
/** What makes up for browsers of another age: 11 MB of a library that Node needs nothing of. */
const POLYFILLS = 'core-js/modules/'
/** Modules that are loaded by their address: threads. */
const MODULE_URL = /new URL\((['"])(\.{1,2}\/[\w./-]+)\.ts\1, import\.meta\.url\)/g
/** From the sources it is three folders up, from a build two. */
const MANIFEST_URL = /new URL\((['"])(?:\.\.\/)+package\.json\1, import\.meta\.url\)/g
const MANIFEST_FROM_BUILD = "new URL('../../package.json', import.meta.url)"
/** Files of libraries that sources read by their address: a build has compressed copies. */
const LIBRARY_FILE_URL = /new URL\((['"])(?:\.\.\/)+node_modules\/([\w@./-]+)\1, import\.meta\.url\)/g
/**
 * Loading these as modules evaluates every getter of theirs, which loads a client of WebSockets
 * that no one uses.
 */
const PLAIN_BUILTINS = ['node:http', 'node:https']

/**
 * Builds the bundle, beside the earlier ones: what runs from them is not disturbed. The stamp is
 * written last: without one, or with one that no longer fits, the sources run.
 * @throws Error when the bundler is not installed, or when a source is wrong
 */
export async function bundle() {
  const stamp = stampOf(root)
  const { rolldown } = await import('rolldown')
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, UNFINISHED))
  try {
    await build(rolldown, folder)
    const name = publish(folder)
    for (const [entry, text] of Object.entries(ENTRIES)) put(`${entry}.js`, text.replace('BUILD', name))
    put(STAMP, stamp)
    prune(name)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The folder of the newest build, as it is named in `dist/`. */
export const currentBuild = () => /'\.\/([^/]+)\//.exec(readFileSync(join(dist, 'main.js'), 'utf8'))[1]

async function build(rolldown, folder) {
  const built = await rolldown({
    cwd: root,
    input: entries(),
    platform: 'node',
    // The library of that name, not the module of Node that is going away.
    resolve: { alias: { punycode: 'punycode/punycode.js' } },
    external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [replaced(), moduleUrls()],
    onLog: (level, log) => {
      // Of the dependencies, whose code is not ours to change.
      if (level === 'warn' && !log.id?.includes('node_modules') && log.code !== 'EVAL')
        throw new Error(log.message)
    },
  })
  const { output } = await built.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.split('~')[0]}-[hash].js`,
    // One character beyond Latin-1 would make the engine keep a file in two bytes for each.
    charset: 'ascii',
    comments: false,
    // Names stay, so that stacks can be read; only space goes.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Apart, so that only our own code needs a map.
    codeSplitting: { groups: [{ name: LIBRARIES, test: /node_modules/, entriesAware: true }] },
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await built.close()
  await shrinkMaps(folder, output)
  const { minifySync } = await import('rolldown/utils')
  shrinkLibraries(folder, output, minifySync)
  for (const file of filesBelow(source).filter((name) => /\.(sql|tsv|yaml)$/.test(name)))
    copyFileSync(join(source, file), join(folder, basename(file)))
  const copied = libraryFiles()
  for (const file of copied)
    writeFileSync(join(folder, `${basename(file)}.br`), compressed(readFileSync(join(modules, file))))
  writeFileSync(join(folder, 'licenses.txt'), licenses(output, copied))
}

/** As small as the best quality makes it, but for two percent, in half of the time. */
const compressed = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } })

/**
 * Gives a build its name. Where the same one was made before, its files are put in place of those,
 * one by one.
 */
function publish(folder) {
  const files = readdirSync(folder).sort()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0')
  const name = `build-${hash.digest('hex').slice(0, 12)}`
  mkdirSync(join(dist, name), { recursive: true })
  for (const file of files) renameSync(join(folder, file), join(dist, name, file))
  // The same contents again: the newest all the same.
  utimesSync(join(dist, name), new Date(), new Date())
  return name
}

/** Writes a file of `dist/` at once: a Plaza that starts now reads the earlier one or this. */
function put(file, text) {
  const path = join(dist, file)
  const written = `${path}.${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}

/** Removes all but the newest builds, and what an interrupted one left. */
function prune(current) {
  const folders = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, madeMs: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.madeMs - a.madeMs)
  const earlier = folders.filter(({ name }) => name.startsWith('build-') && name !== current)
  const left = folders.filter(
    ({ name, madeMs }) => name.startsWith(UNFINISHED) && madeMs < Date.now() - UNFINISHED_MS,
  )
  for (const { name } of [...earlier.slice(KEPT_BUILDS - 1), ...left])
    rmSync(join(dist, name), { recursive: true, force: true })
}

/** A map keeps where each line of a source begins: a third of its size, and the same lines. */
async function shrinkMaps(folder, output) {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec')
  for (const { fileName } of output.filter((file) => file.fileName.endsWith('.map'))) {
    const path = join(folder, fileName)
    const map = JSON.parse(readFileSync(path, 'utf8'))
    const mappings = decode(map.mappings).map((segments) =>
      segments.filter(isFirstOfLine).map((segment) => segment.slice(0, 4)),
    )
    writeFileSync(path, JSON.stringify({ ...map, names: [], mappings: encode(mappings) }))
  }
}

/** A segment has column, source, line and column there, and name; of generated code a column. */
const isFirstOfLine = ([, file, line], index, segments) => {
  const [, earlierFile, earlierLine] = segments[index - 1] ?? []
  return file !== undefined && (file !== earlierFile || line !== earlierLine)
}

/**
 * Libraries need no map, and no one reads the names inside them: a third of their size in the
 * package.
 */
function shrinkLibraries(folder, output, minify) {
  for (const { type, fileName } of output) {
    if (type !== 'chunk' || !fileName.startsWith(LIBRARIES)) continue
    const path = join(folder, fileName)
    rmSync(`${path}.map`, { force: true })
    const whole = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
    const { code, errors } = minify(fileName, whole, {
      module: true,
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true },
    })
    if (errors.length > 0) throw new Error(`${fileName}: ${errors[0].message}`)
    // Tables whose keys are letters cannot be written with escapes alone: they stay as they were.
    const small = escaped(code)
    writeFileSync(path, minify(fileName, small, { module: true }).errors.length > 0 ? whole : small)
  }
}

/** The same in ASCII, which the engine keeps in one byte for each character. */
const escaped = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The entries by their names, with the modules that sources load by their address. */
function entries() {
  const found = Object.keys(ENTRIES).map((name) => join(source, 'app', `${name}.ts`))
  for (const [path, [, , name]] of addressesIn(MODULE_URL)) found.push(join(dirname(path), `${name}.ts`))
  return Object.fromEntries(found.map((path) => [entryName(path), path]))
}

/** The files of libraries that sources read, below `node_modules`. */
const libraryFiles = () => addressesIn(LIBRARY_FILE_URL).map(([, [, , file]]) => file)

/** Every address of a kind in the sources, with the path of its file. */
const addressesIn = (pattern) =>
  filesBelow(source)
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map((file) => join(source, file))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(pattern)].map((match) => [path, match]))

/** `domain.audience-members.sqlite.intake`, and `main`: every file of a build is in one folder. */
const entryName = (path) =>
  relative(source, path)
    .replace(/\.ts$/, '')
    .split(sep)
    .join('.')
    .replace(/^app\./, '')

/** Addresses of modules name their files in the bundle. */
function moduleUrls() {
  return {
    name: 'module-urls',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /new URL\(/ },
      handler(code, id) {
        const named = code.replaceAll(MODULE_URL, (_, quote, name) => {
          const path = join(dirname(id), `${name}.ts`)
          if (!existsSync(path)) throw new Error(`${id} names ${path}, which does not exist`)
          return `new URL(${quote}./${entryName(path)}.js${quote}, import.meta.url)`
        })
        const copied = named.replaceAll(
          LIBRARY_FILE_URL,
          (_, quote, file) => `new URL(${quote}./${basename(file)}.br${quote}, import.meta.url)`,
        )
        return { code: copied.replaceAll(MANIFEST_URL, MANIFEST_FROM_BUILD), map: null }
      },
    },
  }
}

/**
 * Modules of Node that are taken as they are, and modules that fail when they are used after all.
 */
function replaced() {
  const PREFIX = '\0replaced:'
  return {
    name: 'replaced',
    resolveId: (id) =>
      PLAIN_BUILTINS.includes(id) || UNUSED.includes(id) || id.startsWith(POLYFILLS)
        ? PREFIX + id
        : undefined,
    load: {
      filter: { id: /^\0replaced:/ },
      handler(id) {
        const name = id.slice(PREFIX.length)
        if (name.startsWith(POLYFILLS)) return ''
        return UNUSED.includes(name)
          ? `throw new Error('${name} is not in the bundle')`
          : `module.exports = process.getBuiltinModule('${name}')`
      },
    },
  }
}

/** The licences of what the bundle contains, and of the files that are copied beside it. */
function licenses(output, copied) {
  const folders = new Set(copied.map((file) => join(modules, dirname(file))))
  for (const { moduleIds = [] } of output)
    for (const id of moduleIds) {
      const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.split(sep).join('/')) ?? []
      if (folder !== undefined) folders.add(folder)
    }
  const bundledInCopied = copied
    .map((file) => join(modules, `${file}.LICENSE.txt`))
    .filter(existsSync)
    .map((file) => `${basename(file)}\n\n${readFileSync(file, 'utf8')}`)
  return [...[...folders].sort().map(licenseOf), ...bundledInCopied].join(`\n${'-'.repeat(80)}\n\n`)
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle()
