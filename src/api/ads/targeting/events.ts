import { Type } from 'typebox'
import { type EventOption, eventsBetween, eventTypes } from '../../../domain/reference-data/events.ts'
import { countryCodes } from '../../../platform/common/countries.ts'
import {
  choice,
  choices,
  closedComponent,
  closedObject,
  instant,
  nullable,
  standard,
} from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { paging } from '../entity/list.ts'
import { emptyWindow } from '../messages.ts'

const share = Type.Object({}, { description: 'Percentages; empty until data is available.' })
const top = Type.Array(Type.String(), { description: 'Empty until data is available.' })

const Event = closedComponent('TargetingEvent', {
  name: Type.String({ description: 'Human-readable name.' }),
  event_type: choice([...eventTypes], 'Type of event.', 'EventType'),
  start_time: Type.String({ description: 'Local time of the event, written as if it were UTC.' }),
  end_time: Type.String({ description: 'Local time of the event, written as if it were UTC.' }),
  country_code: nullable(Type.String({ description: 'Null for events of several countries.' })),
  is_global: Type.Boolean({ description: 'Whether the event takes place in several countries.' }),
  reach: closedObject({
    total_reach: nullable(Type.Integer({ description: 'Null until data is available.' })),
  }),
  top_users: top,
  top_posts: top,
  top_hashtags: top,
  gender_breakdown_percentage: share,
  device_breakdown_percentage: share,
  country_breakdown_percentage: share,
  targeting_value: Type.String({ description: 'Value for a targeting criterion.' }),
})

/**
 * Upcoming events: later pages continue from the time of the first page, so that they do not shift.
 */
export const listEvents = adsEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/targeting_criteria/events',
  summary: 'List events to target',
  description:
    'Returns the next occurrence of each event, earliest first. Global events belong to every country.',
  source: 'Campaign management (reference: targeting options)',
  limits: LIMITS.targeting,
  query: {
    event_types: Type.Optional(choices([...eventTypes], 'Returns only events of these types.', 'EventType')),
    country_codes: Type.Optional(
      standard(
        choices(
          [...countryCodes],
          'Returns only events of these countries and global events.',
          'CountryCode',
        ),
      ),
    ),
    start_time: Type.Optional(instant('Excludes events that end before this time. The default is now.')),
    end_time: Type.Optional(instant('Excludes events that begin at this time or later.')),
    ...paging(),
  },
  codes: ['INVALID_TIME_WINDOW'],
  data: Type.Array(Event),
  beside: ['cursor', 'type'],
  async handle({ query }, { clock, sealer }) {
    const { count = 0, cursor, event_types, country_codes, start_time, end_time } = query
    const list = JSON.stringify(['events', event_types, country_codes, start_time, end_time])
    const [from, position] = cursor
      ? (positionOf(sealer, list, cursor, 2) as [number, number])
      : [start_time ?? clock.now(), 0]
    if (end_time !== undefined && end_time <= from) throw adsApiError(emptyWindow(from, end_time))
    const found = eventsBetween(from, end_time).filter(matches(event_types, country_codes))
    const next = position + count
    return {
      data: found.slice(position, next),
      next_cursor: next < found.length ? cursorOf(sealer, list, [from, next]) : null,
      data_type: 'events',
    }
  },
})

const matches = (types: readonly string[] | undefined, countries: readonly string[] | undefined) => {
  const [ofType, ofCountry] = [types && new Set(types), countries && new Set(countries)]
  return ({ event_type, country_code }: EventOption) =>
    (!ofType || ofType.has(event_type)) &&
    (!ofCountry || country_code === null || ofCountry.has(country_code))
}
