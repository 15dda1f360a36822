// The start of the single executable: unpacks the package once for each version, and runs it from
// there. Threads and libraries that are loaded later need files.
const { createHash } = require('node:crypto')
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { getAsset } = require('node:sea')
const { brotliDecompressSync } = require('node:zlib')

/** A program of an earlier version that still runs loads files when it first needs them. */
const KEPT_VERSIONS = 5

const archive = Buffer.from(getAsset('package'))
const version = createHash('sha256').update(archive).digest('hex').slice(0, 16)
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plaza')
const folder = join(cache, version)

if (!existsSync(folder)) unpack()
// What a start in the background passes on: the name of this program, which is there already.
const script = join(folder, 'plaza')
if (process.argv[2] === script) process.argv.splice(2, 1)
process.argv[1] = script
createRequire(join(folder, 'entry.cjs'))('./entry.cjs')

/** Beside its place, and then into it: another start may do the same. */
function unpack() {
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  const bytes = brotliDecompressSync(archive)
  const end = 4 + bytes.readUInt32BE(0)
  let at = end
  for (const [path, length] of JSON.parse(bytes.subarray(4, end).toString())) {
    const file = join(unfinished, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes.subarray(at, at + length))
    at += length
  }
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  prune()
}

/** Removes all but the newest versions, and what an interrupted start left. */
function prune() {
  const folders = readdirSync(cache)
    .map((name) => join(cache, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const old of folders.slice(KEPT_VERSIONS)) rmSync(old, { recursive: true, force: true })
}
