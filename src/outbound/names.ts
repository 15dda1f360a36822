import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { TimeSource } from '../common/clock.ts'
import { systemClock, WOKEN } from '../common/clock.ts'
import { SharedGate } from '../common/gate.ts'
import { HostsFile } from './hosts-file.ts'
import type { Addresses, Lookup } from './reserved.ts'

/** Time limit of a query to one server, which doubles with the second try. */
const QUERY_MS = 1_500
const TRIES = 2
/** Time limit of a lookup, in real time. */
const LOOKUP_MS = 5_000
/** A name that could not be resolved is not asked for again during this time. */
const FAILED_MS = 5_000
const MAX_FAILED = 1_000
/** Lookups in progress, and the share of each owner. Each has sockets of its own. */
const AT_ONCE = 64
const AT_ONCE_OF_ONE = 8
const MAX_WAITING = 4_096
const MAX_WAITING_OF_ONE = 512

export interface NamesOptions {
  /** Real time. */
  readonly monotonic: TimeSource
  /** Name servers instead of the machine's, for tests. */
  readonly servers?: readonly string[]
  /** Instead of the machine's hosts file, for tests. */
  readonly hostsFile?: string
}

/**
 * Resolves names that users chose: from the hosts file, otherwise by asking the name servers for IPv4 and IPv6
 * addresses. Unlike `dns.lookup`, a query occupies none of the few threads that files, password hashes and the lookups of
 * Plaza's own services share, and ends with the call. Names are asked for as they are: search domains are not appended.
 */
export class Names {
  readonly #options: NamesOptions
  readonly #hosts: HostsFile
  readonly #gate = new SharedGate(AT_ONCE, {
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_ONE,
    widthOfOne: AT_ONCE_OF_ONE,
  })
  /** Names that could not be resolved, and until when that counts. */
  readonly #failed = new LRUCache<string, number>({ max: MAX_FAILED })

  constructor(options: NamesOptions) {
    this.#options = options
    this.#hosts = new HostsFile({ monotonic: options.monotonic, path: options.hostsFile })
  }

  /** @throws Error The name does not exist, no server answers, or the signal is aborted. */
  async resolve(name: string, { owner, signal }: Lookup): Promise<Addresses> {
    const host = name.toLowerCase()
    const defined = await this.#hosts.addressesOf(host)
    if (defined) return defined.map(described)
    this.#rejectFailed(host)
    return this.#gate.through(
      owner,
      async () => {
        // Another lookup may have failed while this one waited.
        this.#rejectFailed(host)
        return this.#ask(host, signal)
      },
      signal,
    )
  }

  #rejectFailed(host: string): void {
    if ((this.#failed.get(host) ?? 0) > this.#options.monotonic.now())
      throw new Error('the name could not be resolved a moment ago')
  }

  async #ask(host: string, signal: AbortSignal): Promise<Addresses> {
    // A new one each time, which reads the current settings of the machine and can be cancelled by itself.
    const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES })
    if (this.#options.servers) resolver.setServers(this.#options.servers)
    const done = new AbortController()
    const stop = () => resolver.cancel()
    signal.addEventListener('abort', stop, { once: true, signal: done.signal })
    void systemClock.at(systemClock.now() + LOOKUP_MS, done.signal).then((came) => came && stop())
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      signal.throwIfAborted()
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (found.length > 0) return found.map(described)
      this.#failed.set(host, this.#options.monotonic.now() + FAILED_MS)
      throw new Error('the name could not be resolved')
    } finally {
      done.abort(WOKEN)
    }
  }
}

const described = (address: string) => ({ address, family: isIP(address) })
