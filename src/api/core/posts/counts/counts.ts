import { type Static, Type } from 'typebox'
import type { SearchCount, SearchWindow } from '../../../../domain/search/index/search-index.ts'
import type { PlazaTerms } from '../../../../identity/auth/endpoint.ts'
import type { Scope } from '../../../../identity/tokens/scopes.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { Slices } from '../../../../platform/common/slices.ts'
import { objectTime } from '../../../../platform/common/time.ts'
import { endpointsOf } from '../../../../platform/http/endpoint.ts'
import type { LimitText } from '../../../../platform/http/limits.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, choices, component, time } from '../../../../platform/http/schema.ts'
import { protocolOf } from '../../../../platform/protocols/protocols.ts'
import type { ObjectDependencies } from '../../objects/endpoint.ts'
import { queryOf, queryParameter, searcherOf, withQueryErrors } from '../search/query.ts'
import { positionOf, tokenOf, tokenParameters, wrongToken } from '../search/token.ts'
import { type Reach, timesOf, windowBetween, windowOf, windowParameters } from '../search/window.ts'

const DAY_MS = 86_400_000

/** Lengths of the periods for which posts are counted. */
const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: DAY_MS } as const
type Granularity = keyof typeof BUCKET_MS

/** Maximum span of one page. */
const PAGE_MS = 31 * DAY_MS

interface Bucket {
  readonly startMs: number
  readonly endMs: number
  readonly posts: number
}

/**
 * The last 31 days of a window, and the rest of it for the next page. A page begins with a whole
 * period, so that none is counted on two pages.
 */
function lastPageOf(
  window: SearchWindow,
  granularity: Granularity,
): { page: SearchWindow; rest: SearchWindow | undefined } {
  const { startMs, endMs } = timesOf(window)
  const cutMs = Math.ceil((endMs - PAGE_MS) / BUCKET_MS[granularity]) * BUCKET_MS[granularity]
  if (cutMs <= startMs) return { page: window, rest: undefined }
  const { from: cut } = windowBetween(cutMs, endMs)
  return { page: { from: cut, before: window.before }, rest: { from: window.from, before: cut } }
}

/**
 * The periods of a window, oldest first, including empty ones. The window cuts the first and the
 * last. `found`: oldest first.
 */
function* bucketsOf(
  window: SearchWindow,
  granularity: Granularity,
  found: readonly SearchCount[],
): Generator<Bucket> {
  if (compareIds(window.from, window.before) >= 0) return
  const lengthMs = BUCKET_MS[granularity]
  const { startMs, endMs } = timesOf(window)
  let next = 0
  for (let at = Math.floor(startMs / lengthMs) * lengthMs; at < endMs; at += lengthMs) {
    const posts = found[next]?.start === at ? (found[next++]?.count ?? 0) : 0
    yield { startMs: Math.max(at, startMs), endMs: Math.min(at + lengthMs, endMs), posts }
  }
}

const endpoint =
  endpointsOf<PlazaTerms<Pick<ObjectDependencies, 'clock' | 'config' | 'naming' | 'sealer' | 'search'>>>(
    protocolOf,
  )

const FIELDS = ['start', 'end', 'post_count'] as const
const GRANULARITIES = Object.keys(BUCKET_MS) as Granularity[]
const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })

const PostCount = component(
  'PostCount',
  Type.Object(
    {
      start: Type.Optional(time('Start of the period.')),
      end: Type.Optional(time('Its end, exclusive.')),
      post_count: Type.Optional(count),
    },
    closed,
  ),
)
const CountMeta = component(
  'PostCountMeta',
  Type.Object({ total_post_count: count, next_token: Type.Optional(Type.String()) }, closed),
)

/** There may be 45,000 periods, so they are written in slices of the event loop. */
async function shown(buckets: Iterable<Bucket>, fieldNames: readonly string[]) {
  const fields = new Set(fieldNames)
  const slices = new Slices()
  const counts: Static<typeof PostCount>[] = []
  for (const { startMs, endMs, posts } of buckets) {
    if (slices.isOver) await slices.next()
    counts.push({
      ...(fields.has('end') && { end: objectTime(endMs) }),
      ...(fields.has('start') && { start: objectTime(startMs) }),
      ...(fields.has('post_count') && { post_count: posts }),
    })
  }
  return counts
}

interface CountDeclaration {
  reach: Reach
  id: string
  summary: string
  description: string
  auth: readonly ('app' | 'user')[]
  scopes?: readonly Scope[]
  limits: Partial<Record<'app' | 'user', LimitText>>
}

/** Declares a count of posts over time (core reference, 03 section 7). */
export const countEndpoint = ({ reach, ...declared }: CountDeclaration) =>
  endpoint({
    ...declared,
    host: 'core',
    method: 'GET',
    path: `/2/posts/counts/${reach}`,
    source: 'Other core endpoints named in release notes',
    query: {
      query: queryParameter(`counts/${reach}`),
      ...windowParameters,
      ...tokenParameters,
      granularity: Type.Optional(choice([...GRANULARITIES], 'Length of each period; `hour` by default.')),
      'search_count.fields': Type.Optional(
        choices([...FIELDS], 'Members of each count to return; all by default.'),
      ),
    },
    reply: Type.Object(
      {
        data: Type.Array(PostCount),
        meta: CountMeta,
      },
      closed,
    ),
    example: {
      reply: {
        data: [{ start: '2026-01-06T18:00:00.000Z', end: '2026-01-06T19:00:00.000Z', post_count: 12 }],
        meta: { total_post_count: 12 },
      },
    },
    async handle({ query: parameters, principal }, { search, clock, sealer, ...dependencies }) {
      const use = `counts/${reach}` as const
      const query = queryOf(parameters.query, use, dependencies)
      const granularity = parameters.granularity ?? 'hour'
      const of = { sealer, use, query: parameters.query, order: granularity }
      const now = clock.now()
      const place = positionOf(parameters, { ...of, now })
      // The last seven days fit into one page.
      if (place && reach === 'recent')
        throw wrongToken('next_token', parameters.next_token ?? parameters.pagination_token ?? '')
      const requestedWindow = place?.within ?? windowOf(parameters, reach, now)
      const { page, rest } = lastPageOf(requestedWindow, granularity)
      const counted = { query, window: page, ...searcherOf(principal) }
      const found = await withQueryErrors(parameters.query, search.count(counted, BUCKET_MS[granularity]))
      return json({
        data: await shown(bucketsOf(page, granularity, found), parameters['search_count.fields'] ?? FIELDS),
        meta: {
          total_post_count: found.reduce((total, { count: posts }) => total + posts, 0),
          ...(rest && { next_token: tokenOf({ window: rest }, of) }),
        },
      })
    },
  })
