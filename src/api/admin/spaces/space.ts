import { type Static, Type } from 'typebox'
import { SpaceProblem } from '../../../domain/spaces/spaces.ts'
import { SPACE_ID, STATES, stateAt } from '../../../domain/spaces/state.ts'
import type { SpaceRow } from '../../../domain/spaces/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, closedComponent, id, nullable, time } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { NotThere, WrongValue } from '../../../workbench/create/wrong.ts'

export const spaceId = Type.String({ pattern: SPACE_ID, description: 'The space.' })

const users = (description: string) => Type.Array(id('A user.'), { description })

/** A space in replies of the admin API. */
export const AdminSpace = closedComponent('AdminSpace', {
  id: spaceId,
  state: choice([...STATES], 'Its state now.'),
  title: Type.String(),
  lang: nullable(Type.String({ description: 'Language code.' })),
  creator_id: id('Who made it.'),
  host_ids: users('The creator and the other hosts.'),
  speaker_ids: users('The speakers.'),
  invited_user_ids: users('Who is invited to speak.'),
  starts_at: time('When it starts or started.'),
  ends_at: nullable(time('When it ends or ended; null until it is ended.')),
})

export const EXAMPLE: Static<typeof AdminSpace> = {
  id: '0eFsRzAnbv4k',
  state: 'live',
  title: 'Bridges of the north',
  lang: 'en',
  creator_id: '1900000000000000007',
  host_ids: ['1900000000000000007'],
  speaker_ids: [],
  invited_user_ids: [],
  starts_at: '2026-03-01T12:00:00.000Z',
  ends_at: null,
}

/** A row as the admin API shows it. */
export const presentSpace = (row: SpaceRow, now: number): Static<typeof AdminSpace> => ({
  id: row.id,
  state: stateAt(row, now),
  title: row.title,
  lang: row.lang,
  creator_id: row.creator_id,
  host_ids: JSON.parse(row.host_ids),
  speaker_ids: JSON.parse(row.speaker_ids),
  invited_user_ids: JSON.parse(row.invited_user_ids),
  starts_at: isoTime(row.starts_at),
  ends_at: row.ends_at === null ? null : isoTime(row.ends_at),
})

/** Makes or changes a space. `post`: the post that the caller names. */
export async function changed<Done>(work: Promise<Done>, post = ''): Promise<Done> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof SpaceProblem)) throw error
    if (error.kind === 'missing space') throw new NotThere(error.message)
    if (error.kind === 'missing post') throw new WrongValue('post_id', post, error.message)
    throw apiError('conflict', { explanation: error.message })
  }
}
