import { Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { systemClock, type TimeSource, WOKEN } from '../common/clock.ts'
import { SharedGate } from '../common/gate.ts'
import type { Addresses, Lookup } from './reserved.ts'

/** Time limit of a query to one server, which doubles with the second try. */
const QUERY_MS = 1_500
const TRIES = 2
/** Time limit of a lookup, in real time, however many servers there are. */
const LOOKUP_MS = 5_000
/**
 * A name that could not be resolved is not asked for again during this time: less than until the
 * first retry of a delivery.
 */
const FAILED_MS = 2_500
const MAX_FAILED = 1_000
/** Lookups in progress, and the share of each owner. Each has sockets of its own. */
const AT_ONCE = 64
const AT_ONCE_OF_ONE = 8
const MAX_WAITING = 4_096
const MAX_WAITING_OF_ONE = 512

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** A larger file is not read. */
const MAX_HOSTS_BYTES = 1024 * 1024

interface NamesOptions {
  /** Real time. */
  readonly monotonic: TimeSource
  /** Name servers instead of the machine's, for tests: `127.0.0.1:5353`. */
  readonly servers?: readonly string[] | undefined
  /** Instead of the machine's hosts file, for tests. */
  readonly hostsFile?: string | undefined
}

/**
 * Resolves names that users chose. Unlike `dns.lookup`, a lookup occupies none of the few threads
 * that files, password hashes and the connections of Plaza itself share, and it ends with the call.
 *
 * The hosts file comes first, because people name a webhook on their machine or in their network
 * there, and so does `extra_hosts` of Docker Compose. All other names, also those of containers,
 * come from the name servers. Names are asked for as they are: search domains are not appended, and
 * there is no multicast DNS.
 */
export class Names {
  readonly #monotonic: TimeSource
  readonly #servers: readonly string[] | undefined
  readonly #hosts: HostsFile
  readonly #gate = new SharedGate(AT_ONCE, {
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_ONE,
    widthOfOne: AT_ONCE_OF_ONE,
  })
  /** Names that could not be resolved, and until when they count as such. */
  readonly #failed = new LRUCache<string, number>({ max: MAX_FAILED })

  constructor({ monotonic, servers, hostsFile = HOSTS_FILE }: NamesOptions) {
    this.#monotonic = monotonic
    this.#servers = servers
    this.#hosts = new HostsFile(hostsFile)
  }

  /**
   * All addresses of a name.
   * @throws Error The name does not exist, no server answers, too many lookups wait, or the signal
   * is aborted.
   */
  async resolve(name: string, { owner, signal }: Lookup): Promise<Addresses> {
    const host = name.toLowerCase()
    const defined = this.#hosts.addressesOf(host)
    if (defined) return defined.map(described)
    return this.#gate.through(
      owner,
      async () => {
        // Checked in here, because another lookup of the name may have failed while this one
        // waited.
        if ((this.#failed.get(host) ?? 0) > this.#monotonic.now())
          throw new Error('the name could not be resolved a moment ago')
        return this.#ask(host, signal)
      },
      signal,
    )
  }

  async #ask(host: string, signal: AbortSignal): Promise<Addresses> {
    // A new one each time, which reads the current settings of the machine and can be cancelled by
    // itself.
    const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES })
    if (this.#servers) resolver.setServers(this.#servers)
    const done = new AbortController()
    const stop = () => resolver.cancel()
    signal.addEventListener('abort', stop, { signal: done.signal })
    void systemClock.at(systemClock.now() + LOOKUP_MS, done.signal).then((came) => came && stop())
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      signal.throwIfAborted()
      const [ipv4 = [], ipv6 = []] = answers.map((one) => (one.status === 'fulfilled' ? one.value : []))
      if (ipv4.length + ipv6.length > 0) return inTurns(ipv4, ipv6).map(described)
      this.#failed.set(host, this.#monotonic.now() + FAILED_MS)
      throw new Error('the name could not be resolved')
    } finally {
      done.abort(WOKEN)
    }
  }
}

const described = (address: string) => ({ address, family: isIP(address) })

/**
 * The elements of both lists in turns: the first few addresses are tried, and should be of both
 * families.
 */
function inTurns(one: readonly string[], other: readonly string[]): string[] {
  const longest = one.length > other.length ? one : other
  return longest.flatMap((_, at) => [one[at], other[at]].filter((found) => found !== undefined))
}

/**
 * The names in a hosts file. Read when it has changed, and synchronously: it is a small local file,
 * and an asynchronous read would take one of the threads that lookups should leave alone.
 */
class HostsFile {
  readonly #path: string
  /** Identifies the content that was read. */
  #version = ''
  #names: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(path: string) {
    this.#path = path
  }

  /**
   * The addresses of a name in lower case, in the order of the file; undefined if it does not
   * contain the name.
   */
  addressesOf(name: string): readonly string[] | undefined {
    try {
      const { mtimeMs, size } = statSync(this.#path)
      const version = `${mtimeMs} ${size}`
      if (version !== this.#version)
        this.#names = size > MAX_HOSTS_BYTES ? new Map() : namesIn(readFileSync(this.#path, 'utf8'))
      this.#version = version
    } catch {
      // Without a hosts file, the name servers know all names.
      return undefined
    }
    return this.#names.get(name)
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
