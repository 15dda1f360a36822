import { Type } from 'typebox'
import type { IdSource } from '../../platform/common/ids.ts'
import { objectTime } from '../../platform/common/time.ts'
import { choice, id, time } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { addPoll, addPollOption, pollsByIds } from './queries.ts'

/** A poll as it is read. The answers are JSON text, in the order of their positions. */
export interface PollSource {
  id: string
  duration_minutes: number
  ends_at: number
  options: { position: number; label: string; votes: number }[]
}

const { field } = fieldsOf<PollSource>()

const PollOption = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: 'Position among the answers, from 1.' }),
    label: Type.String({ minLength: 1, maxLength: 25 }),
    votes: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
)

/** The poll of a post (core reference, 00 section 6.2). It is closed once its time has passed. */
export const poll = objectShape<PollSource>({
  name: 'poll',
  plural: 'polls',
  component: 'Poll',
  description: 'A question of a post with two to four answers.',
  fields: {
    id: field(id('The poll.'), (source) => source.id),
    options: field(Type.Array(PollOption, { minItems: 2, maxItems: 4 }), (source) => source.options),
    duration_minutes: field(
      Type.Integer({ minimum: 5, maximum: 10_080 }),
      (source) => source.duration_minutes,
    ),
    end_datetime: field(time('When the poll closes.'), (source) => objectTime(source.ends_at)),
    voting_status: field(
      choice(['open', 'closed'], 'Whether votes are taken.', 'VotingStatus'),
      (source, { now }) => (now < source.ends_at ? 'open' : 'closed'),
    ),
  },
  defaults: ['id', 'options'],
  required: ['id', 'options'],
  lookups: {
    id: {
      load: async (ids, { store }) => pollsOf(await store.all(pollsByIds, { ids: JSON.stringify(ids) })),
      keyOf: (source) => source.id,
    },
  },
})

type PollAnswerRow = Omit<PollSource, 'options'> & PollSource['options'][number]

/** Rows contain one answer each, in the order of the answers. */
function pollsOf(rows: readonly PollAnswerRow[]): PollSource[] {
  const polls = new Map<string, PollSource>()
  for (const { position, label, votes, ...row } of rows) {
    const known = polls.get(row.id) ?? { ...row, options: [] }
    known.options.push({ position, label, votes })
    polls.set(row.id, known)
  }
  return [...polls.values()]
}

interface NewPoll {
  /** Two to four answers. */
  options: readonly string[]
  durationMinutes: number
}

const MINUTE_MS = 60_000

/** Opens a poll, now by default; resolves to its id. It is closed once its time has passed. */
export async function insertPoll(
  tx: Transaction,
  { options, durationMinutes }: NewPoll,
  { ids, openedAt = tx.now }: { ids: IdSource; openedAt?: number | undefined },
): Promise<string> {
  const id = ids.next()
  await tx.run(addPoll, {
    id,
    duration_minutes: durationMinutes,
    ends_at: openedAt + durationMinutes * MINUTE_MS,
  })
  for (const [index, label] of options.entries())
    await tx.run(addPollOption, { poll_id: id, position: index + 1, label })
  return id
}
