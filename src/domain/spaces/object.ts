import { Type } from 'typebox'
import { objectTime } from '../../platform/common/time.ts'
import { choice, id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import { type SpaceWithCreatorRow, spacesByIds } from './queries.ts'
import { SPACE_ID, STATES, stateAt } from './state.ts'

const { field } = fieldsOf<SpaceWithCreatorRow>()
const parseIds = (json: string) => JSON.parse(json) as string[]

/** Users or topics of a space; undefined when there are none. */
const idsOf = (json: string) => {
  const ids = parseIds(json)
  return ids.length === 0 ? undefined : ids
}
const users = (description: string) => Type.Array(id('A user.'), { description })

const fields = {
  id: field(Type.String({ pattern: SPACE_ID, description: 'The space.' }), (row) => row.id),
  state: field(choice([...STATES], 'Whether it is live.', 'SpaceState'), (row, { now }) => stateAt(row, now)),
  created_at: field(time('When it was created.'), (row) => objectTime(row.created_at)),
  creator_id: field(id('The user who made it.'), (row) => row.creator_id),
  ended_at: field(time('When it ended.'), (row, { now }) =>
    row.ends_at !== null && row.ends_at <= now ? objectTime(row.ends_at) : undefined,
  ),
  host_ids: field(users('Hosts; the creator is the first.'), (row) => idsOf(row.host_ids)),
  invited_user_ids: field(users('Users who were invited to speak.'), (row) => idsOf(row.invited_user_ids)),
  is_ticketed: field(Type.Boolean({ description: 'Whether it sells tickets.' }), (row) => row.ticketed === 1),
  lang: field(Type.String({ description: 'Language.' }), (row) => row.lang ?? undefined),
  participant_count: field(
    Type.Integer({
      minimum: 0,
      description: 'Hosts and speakers while the space is live. There are no other listeners.',
    }),
    (row, { now }) =>
      stateAt(row, now) === 'live'
        ? new Set([...parseIds(row.host_ids), ...parseIds(row.speaker_ids)]).size
        : 0,
  ),
  scheduled_start: field(time('The scheduled start.'), (row) =>
    row.scheduled_start === null ? undefined : objectTime(row.scheduled_start),
  ),
  speaker_ids: field(users('Users who speak in addition to the hosts.'), (row) => idsOf(row.speaker_ids)),
  started_at: field(time('When it started.'), (row, { now }) =>
    row.starts_at <= now ? objectTime(row.starts_at) : undefined,
  ),
  subscriber_count: field(
    Type.Integer({ minimum: 0, description: 'Users who want to be told of its start.' }),
    (row) => row.subscriber_count,
  ),
  title: field(Type.String({ description: 'Title.' }), (row) => row.title),
  topic_ids: field(Type.Array(Type.String(), { description: 'What it is about.' }), (row) =>
    idsOf(row.topic_ids),
  ),
  updated_at: field(time('When it was last changed.'), (row) => objectTime(row.updated_at)),
}

/** A live audio conversation. Everyone sees spaces, except those of suspended users. */
export const space = objectShape<SpaceWithCreatorRow>({
  name: 'space',
  plural: 'spaces',
  component: 'Space',
  description: 'A live audio conversation. Fields that were not requested, or are empty, are omitted.',
  fields,
  defaults: ['id', 'state'],
  required: ['id', 'state'],
  expansions: {
    creator_id: { to: 'user', field: 'creator_id', ids: 'value' },
    host_ids: { to: 'user', field: 'host_ids', ids: 'value' },
    invited_user_ids: { to: 'user', field: 'invited_user_ids', ids: 'value' },
    speaker_ids: { to: 'user', field: 'speaker_ids', ids: 'value' },
    topic_ids: { to: 'topic', field: 'topic_ids', ids: 'value' },
  },
  lookups: {
    id: {
      load: (ids, { store }) => store.all(spacesByIds, { ids: JSON.stringify(ids) }),
      keyOf: (row) => row.id,
    },
  },
  withheld: (row) => (row.creator_suspended === 1 ? 'not authorized' : undefined),
})
