import { LRUCache } from 'lru-cache'

/** Users choose the hosts, so there is no other bound to their number. */
const MAX_HOSTS = 1_000

/**
 * Hosts that did not respond, and until when their images are skipped. Beyond the maximum, the host
 * that has been silent for longest is forgotten, and therefore tried again.
 */
export class SilentHosts {
  readonly #until: LRUCache<string, number>

  constructor(max: number = MAX_HOSTS) {
    this.#until = new LRUCache({ max })
  }

  get size(): number {
    return this.#until.size
  }

  /** A host did not respond: skip it until a time. */
  add(host: string, until: number): void {
    this.#until.set(host, until)
  }

  /** Until when to skip a host; undefined if it need not be skipped. */
  silentUntil(host: string, now: number): number | undefined {
    const until = this.#until.peek(host)
    if (until === undefined || until > now) return until
    this.#until.delete(host)
    return undefined
  }
}
