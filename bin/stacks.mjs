// Stacks of the bundle name the sources. Node's own way reads every map when a file is loaded,
// which takes half as long again to start and 50 MB; here a map is read when a stack is looked at.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const maps = new Map()

/**
 * Has the stacks of errors name the sources of the files in `folder`, wherever these have a map.
 */
export function mapStacks(folder) {
  const prefix = pathToFileURL(folder).href
  Error.prepareStackTrace = (error, calls) => {
    const lines = calls.map((call) => `\n    at ${mapped(String(call), prefix, folder)}`)
    return `${headOf(error)}${lines.join('')}`
  }
}

function headOf(error) {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

/** `file:///…/dist/server.js:1:2345` becomes `src/app/server.ts:120:7`. */
function mapped(call, prefix, folder) {
  const start = call.indexOf(prefix)
  if (start === -1) return call
  const [place, file, line, column] = /^([^:]+\.js):(\d+):(\d+)/.exec(call.slice(start + prefix.length)) ?? []
  if (place === undefined) return call
  const entry = mapOf(join(folder, file))?.findEntry(Number(line) - 1, Number(column) - 1)
  if (entry?.originalSource === undefined) return call
  const source = entry.originalSource.replace(/^(?:\.\.?\/)+/, '')
  const end = start + prefix.length + place.length
  return `${call.slice(0, start)}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${call.slice(end)}`
}

/** Undefined for a file without one: it holds libraries. */
function mapOf(path) {
  if (maps.has(path)) return maps.get(path)
  let map
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  } catch {
    map = undefined
  }
  maps.set(path, map)
  return map
}
