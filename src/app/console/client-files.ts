import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

interface ClientFile {
  readonly type: string
  readonly text: string
}

/** The application in the browser, bundled. */
export interface ClientFiles {
  /** Names of the files to load. */
  readonly script: string
  readonly style: string
  /** By their names. */
  readonly files: ReadonlyMap<string, ClientFile>
}

/** In a build, beside this file: the names of the files, which are compressed. */
const MANIFEST = new URL('./console.json', import.meta.url)
/** In a clone, what bundles them. A build does not contain it. */
const BUNDLER = new URL('../../../scripts/console-client.mjs', import.meta.url)

let loaded: Promise<ClientFiles> | undefined

/** Reads the bundled application, or bundles it where Plaza runs from its sources. */
export function loadClient(): Promise<ClientFiles> {
  loaded ??= load()
  loaded.catch(() => {
    loaded = undefined
  })
  return loaded
}

async function load(): Promise<ClientFiles> {
  const manifest = await readFile(MANIFEST, 'utf8').catch(() => undefined)
  if (manifest === undefined) return fromSources()
  const { script, style } = JSON.parse(manifest) as { script: string; style: string }
  return clientOf({ script, style }, { script: await readBuilt(script), style: await readBuilt(style) })
}

async function readBuilt(name: string): Promise<string> {
  const bytes = await readFile(new URL(`./${name}.br`, import.meta.url))
  return (await promisify(brotliDecompress)(bytes)).toString()
}

async function fromSources(): Promise<ClientFiles> {
  const { bundleClient } = await import(BUNDLER.href)
  const { script, style } = await bundleClient()
  return clientOf({ script: script.name, style: style.name }, { script: script.text, style: style.text })
}

const clientOf = (
  names: { readonly script: string; readonly style: string },
  texts: { readonly script: string; readonly style: string },
): ClientFiles => ({
  ...names,
  files: new Map([
    [names.script, { type: 'text/javascript; charset=utf-8', text: texts.script }],
    [names.style, { type: 'text/css; charset=utf-8', text: texts.style }],
  ]),
})
