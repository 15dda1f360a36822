import { Type } from 'typebox'
import type { Segment } from '../../../domain/ad-delivery/segments.ts'
import { locationsReady } from '../../../domain/reference-data/locations.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import { compileReply, RawJson } from '../../../platform/http/reply.ts'
import { base36, closedComponent, closedObject, nullable } from '../../../platform/http/schema.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { conversionsOf, type SegmentConversions } from './conversions.ts'
import { figuresOf, type SegmentFigures } from './figures.ts'
import { deliveredIn, Metrics, metricsIn, type StatsEntity } from './metrics.ts'
import { repeated, type StatsQuery } from './parameters.ts'
import { knownEntities, knownPosts } from './queries.ts'
import { segmentsFor } from './segments.ts'
import { lengthOf } from './window.ts'

const SegmentSchema = closedObject({
  segment_name: Type.String({ description: 'Name of the segment.' }),
  segment_value: Type.String({ description: 'Targeting value.' }),
})

/** The figures of one entity (reference: analytics, reply of metrics). */
export const EntityStats = closedComponent('EntityStats', {
  id: base36('The entity.'),
  id_data: Type.Array(
    closedObject({
      segment: nullable(SegmentSchema),
      metrics: Metrics,
    }),
    { description: 'One item, or one for each segment with figures.' },
  ),
})

/**
 * Reads the figures that a call or a job asks for. Entities that the account does not have are
 * left out.
 */
export async function readStats(account: string, query: StatsQuery, store: Pick<Store, 'all'>) {
  const { entity, granularity, metric_groups, placement, segmentation_type: type, country } = query
  const window = { fromMs: query.start_time, untilMs: query.end_time }
  const known = new Set(await knownOf(account, entity, query.entity_ids, store))
  const ids = query.entity_ids.filter((id) => known.has(id))
  if (type !== null) await locationsReady()
  const metrics = placement === 'ALL_ON_SERVICE' ? deliveredIn(entity, metric_groups) : []
  const figures = await figuresOf(store, {
    account,
    entity,
    ids,
    window,
    granularity,
    metrics,
    ...(type !== null && { segmentsOf: (rows) => segmentsFor(rows, { account, type, country }, store) }),
  })
  const conversions = await conversionsOf(store, {
    ...{ account, entity, ids, window, granularity, country },
    groups: placement === 'ALL_ON_SERVICE' ? metric_groups : [],
    segmentation: type,
  })
  const names = metricsIn(metric_groups)
  return {
    time_series_length: lengthOf(window, granularity),
    data: ids.map((id) => {
      const parts = { delivered: figures.get(id), converted: conversions.get(id) }
      const items = [...segmentsIn(parts)].map(([key, segment]) => ({
        segment: segment && { segment_name: segment.name, segment_value: segment.value },
        metrics: {
          ...seriesByName(names, metrics, parts.delivered?.get(key)?.series ?? []),
          ...parts.converted?.get(key)?.metrics,
        },
      }))
      return { id, id_data: items.length === 0 && type === null ? [none(names)] : items }
    }),
  }
}

const none = (names: readonly string[]) => ({ segment: null, metrics: seriesByName(names, [], []) })

/** The segments of an entity with figures, in the order of their values. */
function segmentsIn(parts: {
  readonly delivered: ReadonlyMap<string, SegmentFigures> | undefined
  readonly converted: ReadonlyMap<string, SegmentConversions> | undefined
}): Map<string, Segment | null> {
  const found = [...(parts.delivered ?? []), ...(parts.converted ?? [])]
  found.sort(([one], [other]) => compare(one, other))
  return new Map(found.map(([key, { segment }]) => [key, segment]))
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** A metric without any activity is null. */
function seriesByName(
  names: readonly string[],
  metrics: readonly (readonly [string, number])[],
  series: readonly number[][],
): Record<string, number[] | null> {
  const found = new Map(metrics.map(([name], at) => [name, series[at]]))
  return Object.fromEntries(
    names.map((name) => {
      const list = found.get(name)
      return [name, list?.some((value) => value > 0) ? list : null]
    }),
  )
}

/** The ids that the account has, of some. */
async function knownOf(
  account: string,
  entity: StatsEntity,
  ids: readonly string[],
  store: Pick<Store, 'all'>,
): Promise<string[]> {
  if (entity === 'ACCOUNT') return ids.filter((id) => id === account)
  const isOfPosts = entity === 'ORGANIC_POST'
  const asked = isOfPosts ? ids.filter((id) => /^[0-9]{1,19}$/.test(id)) : ids
  const query = isOfPosts ? knownPosts : knownEntities[entity]
  const rows = await store.all(query, { account, ids: JSON.stringify(asked) })
  return rows.map(({ id }) => id)
}

const Whole = closedObject({
  data_type: Type.String(),
  time_series_length: Type.Integer(),
  data: Type.Array(EntityStats),
  request: Type.Object({}),
})

type Stats = Awaited<ReturnType<typeof readStats>>

/** Figures as a reply has them, as JSON. Other work gets a turn between the entities. */
export async function statsText(
  { data, time_series_length }: Stats,
  query: StatsQuery,
  vocabulary: Vocabulary,
): Promise<string> {
  const write = compileReply(EntityStats, vocabulary)
  const items: string[] = []
  for (const item of data) {
    items.push(write(item))
    await endOfTurn()
  }
  return compileReply(
    Whole,
    vocabulary,
  )({
    data_type: 'stats',
    time_series_length,
    data: new RawJson(`[${items.join(',')}]`),
    request: repeated(query, vocabulary),
  })
}
