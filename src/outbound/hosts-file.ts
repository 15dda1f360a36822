import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { TimeSource } from '../common/clock.ts'
import { SharedRun } from '../common/shared-run.ts'

const SYSTEM_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** A larger file is not read. */
const MAX_BYTES = 1024 * 1024
/** How long a change may go unnoticed. */
const LOOK_MS = 1_000

interface HostsFileOptions {
  /** Real time. */
  readonly monotonic: TimeSource
  readonly path?: string | undefined
}

/** The names that the machine's hosts file defines. One read at a time, whoever looks up names. */
export class HostsFile {
  readonly #path: string
  readonly #monotonic: TimeSource
  readonly #look = new SharedRun(() => this.#read())
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Identifies the content that was read. */
  #version = ''
  #names: ReadonlyMap<string, readonly string[]> = new Map()

  constructor({ monotonic, path = SYSTEM_FILE }: HostsFileOptions) {
    this.#path = path
    this.#monotonic = monotonic
  }

  /** The addresses of a name in lower case, in the order of the file; undefined if it does not contain the name. */
  async addressesOf(name: string): Promise<readonly string[] | undefined> {
    if (this.#monotonic.now() - this.#lookedAt > LOOK_MS) await this.#look.run()
    return this.#names.get(name)
  }

  async #read(): Promise<void> {
    const began = this.#monotonic.now()
    try {
      const { mtimeMs, size } = await stat(this.#path)
      const version = `${mtimeMs} ${size}`
      if (version !== this.#version)
        this.#names = size > MAX_BYTES ? new Map() : namesIn(await readFile(this.#path, 'utf8'))
      this.#version = version
    } catch {
      // Without a hosts file, all names are those of the DNS.
      this.#names = new Map()
      this.#version = ''
    }
    this.#lookedAt = began
  }
}

/** Lines such as `10.0.0.7 hook hook.internal # comment`. */
function namesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const known = found.get(name)
      if (known) known.push(address)
      else found.set(name, [address])
    }
  }
  return found
}
