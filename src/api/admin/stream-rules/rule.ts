import { type Static, Type } from 'typebox'
import type { StreamRuleRow } from '../../../delivery/streams/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, component, id, nullable, text, time } from '../../../platform/http/schema.ts'

export const STREAMS = ['filtered', 'powerstream'] as const
export const streamName = choice([...STREAMS], 'The stream; `filtered` by default.')
export const ruleMembers = {
  value: text(1, 4_096, 'A query: which posts the rule matches.'),
  tag: text(0, 1_024, 'A name, which is returned with each match.'),
}

/** A rule of a stream in replies of the admin API. */
export const AdminRule = component(
  'AdminRule',
  Type.Object(
    {
      id: id('The rule.'),
      app_id: id('The app.'),
      stream: streamName,
      value: Type.String(),
      tag: nullable(Type.String()),
      created_at: time('When it was added.'),
    },
    { additionalProperties: false },
  ),
)

export const presentRule = (row: StreamRuleRow): Static<typeof AdminRule> => ({
  id: row.id,
  app_id: row.app_id,
  stream: row.stream as (typeof STREAMS)[number],
  value: row.value,
  tag: row.tag,
  created_at: isoTime(row.created_at),
})

export const EXAMPLE: Static<typeof AdminRule> = {
  id: '1900000000000000060',
  app_id: '1900000000000000042',
  stream: 'filtered',
  value: 'bridge lang:en',
  tag: 'bridges',
  created_at: '2026-03-01T12:00:00.000Z',
}
