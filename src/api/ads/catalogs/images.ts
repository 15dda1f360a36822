import type { Logger } from 'pino'
import { inspect, sourceOf } from '../../../domain/media/inspect/inspect.ts'
import type { Clock } from '../../../platform/common/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Outbound, Outcome } from '../../../platform/outbound/outbound.ts'
import { DONE, later, retry, type TaskKind } from '../../../platform/queue/task.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { productImage, recordImage } from './queries.ts'
import { SilentHosts } from './silent-hosts.ts'
import { checkImage, type ProductImage } from './tasks.ts'

/**
 * Images that are fetched at the same time, each from another host. Each may fill its share of
 * memory.
 */
const IMAGES_AT_ONCE = 4
const MAX_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** In addition to the time limit of the calls. Afterwards, another node may try. */
const LEASE_MARGIN_MS = 5_000
/** How long an unresponsive host is skipped, times the number of attempts. */
const RETRY_MS = 300_000
const MAX_ATTEMPTS = 3

/** What the checks of images need. */
export interface ImageCheckDependencies {
  readonly config: Pick<Config, 'crcTimeoutMs' | 'fetchImages'>
  readonly clock: Clock
  readonly store: Store
  readonly outbound: Outbound
  readonly log: Logger
}

/** The result of a fetch: success, a permanent problem, or a temporary one. */
interface ImageCheckResult {
  problem: string | null
  temporary: boolean
  /** The host did not respond at all, so its other images would time out too. */
  silent?: boolean
}

/**
 * Fetches images of products, unless the operator turned it off. Problems are reported at the next
 * upsert.
 */
export function imageChecks(parts: ImageCheckDependencies): TaskKind<ProductImage> {
  const { store, clock, outbound, config, log } = parts
  /** Each node has its own list. */
  const silentHosts = new SilentHosts()
  return {
    type: checkImage,
    leaseMs: config.crcTimeoutMs * (MAX_REDIRECTS + 1) + LEASE_MARGIN_MS,
    maxAttempts: MAX_ATTEMPTS,
    backoff: (failed) => RETRY_MS * failed,
    concurrency: config.fetchImages ? IMAGES_AT_ONCE : 0,
    async run({ catalog, product, url, user }, { attempt }) {
      const { host } = new URL(url)
      const silentUntil = silentHosts.silentUntil(host, clock.now())
      if (silentUntil !== undefined) return later(silentUntil)
      const image = { catalog_id: catalog, product_key: product, url }
      if (!(await store.first(productImage, image))) return DONE
      const { problem, temporary, silent } = await fetchImage(url, user, outbound)
      if (silent) silentHosts.add(host, clock.now() + RETRY_MS)
      if (temporary && attempt < MAX_ATTEMPTS) return retry(problem ?? '', clock.now() + RETRY_MS * attempt)
      return async (tx) => {
        await tx.run(recordImage, { ...image, problem })
        log.debug({ catalog, product, problem }, 'product image checked')
        return DONE
      }
    },
  }
}

/**
 * Fetches and inspects an image. Each URL on the way is checked by the rules for outgoing calls.
 */
async function fetchImage(url: string, owner: string, outbound: Outbound): Promise<ImageCheckResult> {
  let target = url
  let internal = false
  // All problems at internal addresses have the same text, which must not reveal open ports.
  const reported = (finding: ImageCheckResult): ImageCheckResult =>
    internal && finding.problem !== null
      ? { ...finding, problem: 'could not be fetched as an image' }
      : finding
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const exchange = await outbound.send({ owner, method: 'GET', url: target, maxBytes: MAX_BYTES })
    const { outcome } = exchange
    internal ||= exchange.internal
    if (outcome.kind !== 'answered' || !REDIRECTS.has(outcome.status)) {
      const finding = reported(await resultOf(outcome))
      // A host that redirects to a silent one has responded.
      return redirects === 0 ? finding : { ...finding, silent: false }
    }
    const { location = '' } = outcome.headers
    if (!URL.canParse(location, target))
      return reported({ problem: 'redirects to an invalid URL', temporary: false })
    target = new URL(location, target).href
  }
  return reported({ problem: `redirects more than ${MAX_REDIRECTS} times`, temporary: false })
}

async function resultOf(outcome: Outcome): Promise<ImageCheckResult> {
  const permanent = (problem: string | null): ImageCheckResult => ({ problem, temporary: false })
  const temporary = (problem: string): ImageCheckResult => ({ problem, temporary: true })
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status >= 500 || outcome.status === 429)
        return temporary(`returned status ${outcome.status}`)
      if (outcome.status !== 200) return permanent(`returned status ${outcome.status}`)
      return permanent((await imageFault(outcome.body)) ?? null)
    case 'too-large':
      return permanent('is larger than 5 MB')
    case 'rejected':
      return permanent(`cannot be fetched: ${outcome.reason}`)
    case 'tls':
      return permanent('does not have a trusted certificate')
    case 'timeout':
      return { ...temporary('timed out'), silent: true }
    case 'unreachable':
      return { ...temporary('could not be reached'), silent: true }
    case 'closed':
      return temporary('could not be reached')
  }
}

const MIN_PIXELS = 500
const TYPES = ['image/jpeg', 'image/gif', 'image/webp', 'image/png']

/** The problem of a product image, as the rest of a sentence (interface, `image_link`). */
async function imageFault(content: Buffer): Promise<string | undefined> {
  const found = await inspect(sourceOf(content), 'product images')
  if (!found || found.kind === 'SUBTITLES' || !TYPES.includes(found.contentType))
    return 'is no JPG, GIF, WEBP or PNG'
  return found.width < MIN_PIXELS || found.height < MIN_PIXELS
    ? `has ${found.width} x ${found.height} pixels and needs at least ${MIN_PIXELS} x ${MIN_PIXELS}`
    : undefined
}
