import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBuild, EXTERNAL } from './bundle.mjs'

/**
 * `prepack` and `postpack`: the package.json of the package, and its texts. A clone also works with
 * an older Node, for which `npm ci` installs another; the package runs on the Node of its user.
 * Omits what only a clone needs, and links to what only a clone has.
 */
const ENGINE = '>=22.13'
const CLONE_ONLY = [
  'scripts',
  'devDependencies',
  'overrides',
  'private',
  'allowScripts',
  'scarfSettings',
] as const

const root = fileURLToPath(new URL('..', import.meta.url))
/** The files as they are in the clone, while npm packs. */
const KEPT = '.packing'
const MANIFEST = 'package.json'

if (process.argv[2] === 'pack') pack()
else unpack()

function pack(): void {
  const manifest = JSON.parse(readFileSync(join(root, MANIFEST), 'utf8')) as Record<string, unknown>
  const files = manifest.files as string[]
  change(MANIFEST, () => `${JSON.stringify(packed(manifest), undefined, 2)}\n`)
  const isPacked = (path: string) =>
    [...files, 'LICENSE', 'README.md'].some((one) => path === one || path.startsWith(`${one}/`))
  for (const path of ['README.md', ...globSync('docs/guides/*.md', { cwd: root })])
    change(path, (text) => withoutForeignLinks(text, path, isPacked))
}

function packed(manifest: Record<string, unknown>): Record<string, unknown> {
  const result = { ...manifest, engines: { node: ENGINE } } as Record<string, unknown>
  for (const member of CLONE_ONLY) delete result[member]
  // The others are bundled.
  result.dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies as Record<string, string>).filter(([name]) =>
      EXTERNAL.includes(name),
    ),
  )
  // Of the builds, only the newest.
  result.files = (manifest.files as string[]).flatMap((file) =>
    file === 'dist'
      ? ['dist/main.js', 'dist/index.js', 'dist/client.js', 'dist/types', `dist/${currentBuild()}`]
      : [file],
  )
  return result
}

/** Links to files outside of the package become their text. */
function withoutForeignLinks(text: string, from: string, isPacked: (path: string) => boolean): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^(https?:|#)/.test(target)) return link
    const path = join(dirname(from), target.split('#')[0] ?? '').replace(/\/$/, '')
    return isPacked(path) ? link : words
  })
}

function change(path: string, write: (text: string) => string): void {
  const text = readFileSync(join(root, path), 'utf8')
  const kept = join(root, KEPT, path)
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, text)
  replace(path, write(text))
}

function unpack(): void {
  for (const path of globSync('**/*.{json,md}', { cwd: join(root, KEPT) }))
    replace(path, readFileSync(join(root, KEPT, path), 'utf8'))
  rmSync(join(root, KEPT), { recursive: true })
}

/** Atomically, because others may be reading it. */
function replace(path: string, text: string): void {
  const file = join(root, path)
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
