import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { PlazaTerms } from '../../../../identity/auth/endpoint.ts'
import { ownerOf } from '../../../../identity/auth/principal.ts'
import type { Scope } from '../../../../identity/tokens/scopes.ts'
import { Slices } from '../../../../platform/common/slices.ts'
import { objectTime } from '../../../../platform/common/time.ts'
import { endpointsOf } from '../../../../platform/http/endpoint.ts'
import type { LimitText } from '../../../../platform/http/limits.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, choices, component, time } from '../../../../platform/http/schema.ts'
import { protocolOf } from '../../../../platform/protocols/protocols.ts'
import type { ObjectDependencies } from '../../objects/endpoint.ts'
import { queryOf, queryParameter, withQueryErrors } from '../search/query.ts'
import { positionOf, tokenOf, tokenParameters, wrongToken } from '../search/token.ts'
import type { Reach } from '../search/window.ts'
import { windowOf, windowParameters } from '../search/window.ts'
import type { Bucket, Granularity } from './buckets.ts'
import { BUCKET_MS, bucketsOf, lastPageOf } from './buckets.ts'

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
      const counted = { query, window: page, owner: ownerOf(principal) }
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
