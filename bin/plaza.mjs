#!/usr/bin/env -S node --max-semi-space-size=4
// Plain JavaScript for any Node from 20 on: it finds the Node that Plaza is made for and hands over to it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = 24
// What a request leaves behind is garbage at once, so a nursery of 4 MB does as well as the usual 16, and the
// process stays tens of megabytes smaller. V8 reads it before any program, so it stands in the first line too.
const NURSERY = '--max-semi-space-size=4'
const main = new URL('../src/main.ts', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= NEEDED) await runHere()
else runWith(pinnedNode())

async function runHere() {
  hideExperimentalWarnings()
  // Half of a start is compiling. Where the folder cannot be written nothing is remembered, and that is all.
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/plaza', import.meta.url)))
  await import(main.href)
}

/** Early releases of Node 24 warn of type stripping and of SQLite; every other warning stays. */
function hideExperimentalWarnings() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    const [options] = rest
    const type = typeof options === 'string' ? options : options?.type
    if (type === 'ExperimentalWarning' && /type stripping|sqlite/i.test(String(warning))) return
    emitWarning.call(process, warning, ...rest)
  }
}

/** Where the package `node` keeps its program. */
function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  try {
    const folder = dirname(module.createRequire(import.meta.url).resolve('node/package.json'))
    const program = join(folder, 'bin', name)
    if (existsSync(program)) return program
  } catch {
    // Told below.
  }
  console.error(
    `plaza: this is Node ${process.versions.node}, Plaza needs Node ${NEEDED}, and the package "node" that brings it is not installed. Run npm install, or use Node ${NEEDED}.`,
  )
  process.exit(1)
}

function runWith(program) {
  const child = spawn(program, [NURSERY, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
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
