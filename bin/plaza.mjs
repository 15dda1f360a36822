#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on. An installed package has the bundle alone, and runs it
// with the Node that it was called with. A clone runs the bundle while it is made of the sources as
// they are, and otherwise the sources, both with the Node that they are made for.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** From this version on the embedded database needs no flag. */
const PACKAGE_NEEDS = [22, 13]
/** From this version on TypeScript needs no flag. */
const SOURCES_NEED = [22, 18]
/** What the sources are tested on; an older Node hands over to it where `npm ci` brought it. */
const SOURCES_PREFER = [24, 0]

const sources = new URL('../src/app/main.ts', import.meta.url)
const isClone = existsSync(sources)
const bundle = new URL('../dist/main.js', import.meta.url)
const pinned = isClone && !isAtLeast(SOURCES_PREFER) ? pinnedNode() : undefined

if (pinned !== undefined) runWith(pinned)
else if (isAtLeast(isClone ? SOURCES_NEED : PACKAGE_NEEDS)) await runHere()
else {
  const needed = (isClone ? SOURCES_NEED : PACKAGE_NEEDS).join('.')
  const advice = isClone
    ? `Run npm ci, which brings a newer one, or use Node ${needed} or later.`
    : 'Use a newer one.'
  console.error(
    `plaza: this is Node ${process.versions.node}, and Plaza needs Node ${needed} or later. ${advice}`,
  )
  process.exit(1)
}

function isAtLeast([major, minor]) {
  const [ours, oursMinor] = process.versions.node.split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

async function runHere() {
  hideExperimentalWarnings()
  // Half of a start is compiling. Where the folder cannot be written nothing is remembered, and
  // that is all.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/plaza', import.meta.url)))
  if (isClone && !(await isBundleCurrent())) return import(sources.href)
  const { mapStacks } = await import('./stacks.mjs')
  mapStacks(fileURLToPath(new URL('.', bundle)))
  await import(bundle.href)
}

async function isBundleCurrent() {
  const { isCurrent } = await import('./stamp.mjs')
  return isCurrent(fileURLToPath(new URL('..', import.meta.url)))
}

/**
 * Node 22 and early releases of 24 warn of type stripping and of SQLite; every other warning stays.
 */
function hideExperimentalWarnings() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const [options] = rest
    const type = typeof options === 'string' ? options : options?.type
    if (type === 'ExperimentalWarning' && /type stripping|sqlite/i.test(String(warning))) return
    emitWarning.call(process, warning, ...rest)
  }
}

/** The Node that `npm ci` brought for an older one. */
function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const program = fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))
  return existsSync(program) ? program : undefined
}

function runWith(program) {
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of forwarded) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`plaza: ${program} cannot be run: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    // Ends as the child did, so that a shell sees the same.
    for (const one of forwarded) process.removeAllListeners(one)
    process.kill(process.pid, signal)
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100)
  })
}
