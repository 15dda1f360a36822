import type { Context } from '../../context.ts'
import { endOfTurn } from '../../common/turn.ts'
import type { Outcome } from '../../outbound/outbound.ts'
import type { ProductImageRow } from '../../storage/tables.ts'
import { imageFault } from './image-file.ts'
import { leaseImages, recordImage } from './queries.ts'

/** Images fetched at the same time, each from another host: each may fill so much memory. */
const IMAGES_AT_ONCE = 4
/** Images that a node takes to itself: among so many there are mostly several hosts. */
const IMAGES_LEASED = 32
const MAX_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** On top of the time that the calls may take: after it, another node may try. */
const LEASE_MARGIN_MS = 5_000
/** How long a host that does not answer is left alone, times the tries so far. */
const RETRY_MS = 300_000
const MAX_TRIES = 3

type Parts = Pick<Context, 'store' | 'clock' | 'outbound' | 'config' | 'log'>

/** What came of a fetch: nothing wrong, something wrong, or nobody there for now. */
interface Finding {
  problem: string | null
  passing: boolean
  /** The host did not answer at all: its other images would only be waited for, too. */
  silent?: boolean
}

/** Hosts that did not answer, and until when they are left alone. Each node finds out for itself. */
export type SilentHosts = Map<string, number>

/** Fetches the images that are due, a few at a time, until none is. */
export async function checkImages(parts: Parts, silent: SilentHosts, stopping: AbortSignal): Promise<void> {
  const { store, clock, config } = parts
  // In the worst case all of them are of one host, which is asked for one after the other.
  const leaseMs = IMAGES_LEASED * (config.crcTimeoutMs * (MAX_REDIRECTS + 1) + LEASE_MARGIN_MS)
  while (!stopping.aborted) {
    const now = clock.now()
    for (const [host, until] of silent) if (until <= now) silent.delete(host)
    const due = await store.write((tx) =>
      tx.all(leaseImages, { now, until: now + leaseMs, limit: IMAGES_LEASED }),
    )
    if (due.length === 0) return
    await checkLeased(parts, due, silent, stopping)
    await endOfTurn()
  }
}

/** Fetches leased images in lots in which no host occurs twice; a host that is silent is left alone. */
async function checkLeased(
  parts: Parts,
  leased: readonly ProductImageRow[],
  silent: SilentHosts,
  stopping: AbortSignal,
): Promise<void> {
  let rest = leased
  while (rest.length > 0) {
    const isOff = ({ url }: ProductImageRow) => stopping.aborted || silent.has(hostOf(url))
    await putOff(parts, rest.filter(isOff), silent)
    rest = rest.filter((image) => !isOff(image))
    const hosts = Map.groupBy(rest, ({ url }) => hostOf(url))
    const lot = [...hosts.values()].flatMap(([first]) => first ?? []).slice(0, IMAGES_AT_ONCE)
    await Promise.all(lot.map((image) => checkOne(parts, image, silent)))
    rest = rest.filter((image) => !lot.includes(image))
  }
}

const hostOf = (url: string) => new URL(url).host

/** Images of silent hosts wait as long as their hosts do; when Plaza stops, others are for whoever comes next. */
async function putOff(
  { store, clock }: Parts,
  images: readonly ProductImageRow[],
  silent: SilentHosts,
): Promise<void> {
  if (images.length === 0) return
  const now = clock.now()
  await store.write(async (tx) => {
    for (const image of images)
      await tx.run(recordImage, { ...image, due_at: silent.get(hostOf(image.url)) ?? now })
  })
}

async function checkOne(
  { store, clock, outbound, log }: Parts,
  image: ProductImageRow,
  silentHosts: SilentHosts,
): Promise<void> {
  const { problem, passing, silent } = await look(image.url, outbound)
  const now = clock.now()
  if (silent) silentHosts.set(hostOf(image.url), now + RETRY_MS)
  const tries = image.tries + 1
  const again = passing && tries < MAX_TRIES
  const due_at = again ? now + RETRY_MS * tries : null
  await store.write((tx) =>
    tx.run(recordImage, { ...image, problem: again ? image.problem : problem, tries, due_at }),
  )
  log.debug({ catalog: image.catalog_id, product: image.product_key, problem }, 'product image checked')
}

/** Fetches an image and looks at it. Each address on the way is judged by the rules for outgoing calls. */
async function look(url: string, outbound: Parts['outbound']): Promise<Finding> {
  let target = url
  let internal = false
  // What is wrong at an internal address is one text: it must not tell open ports from closed ones.
  const told = (finding: Finding): Finding =>
    internal && finding.problem !== null
      ? { ...finding, problem: 'could not be fetched as an image' }
      : finding
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const exchange = await outbound.send({ method: 'GET', url: target, maxBytes: MAX_BYTES })
    const { outcome } = exchange
    internal ||= exchange.internal
    if (outcome.kind !== 'answered' || !REDIRECTS.has(outcome.status)) return told(await findingOf(outcome))
    const { location = '' } = outcome.headers
    if (!URL.canParse(location, target)) return told({ problem: 'leads nowhere', passing: false })
    target = new URL(location, target).href
  }
  return told({ problem: `leads to other addresses more than ${MAX_REDIRECTS} times`, passing: false })
}

async function findingOf(outcome: Outcome): Promise<Finding> {
  const lasting = (problem: string | null): Finding => ({ problem, passing: false })
  const passing = (problem: string): Finding => ({ problem, passing: true })
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status >= 500 || outcome.status === 429)
        return passing(`was answered with status ${outcome.status}`)
      if (outcome.status !== 200) return lasting(`was answered with status ${outcome.status}`)
      return lasting((await imageFault(outcome.body)) ?? null)
    case 'too-large':
      return lasting('is larger than 5 MB')
    case 'refused':
      return lasting(`cannot be fetched: ${outcome.reason}`)
    case 'tls':
      return lasting('has no certificate that is trusted')
    case 'timeout':
      return { ...passing('was not answered in time'), silent: true }
    case 'unreachable':
      return { ...passing('could not be reached'), silent: true }
    case 'closed':
      return passing('could not be reached')
  }
}
