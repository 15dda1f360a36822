import { addUnannounced, PLAIN_SETTINGS } from '../../../domain/broadcasts/broadcasts.ts'
import { addMessageTo } from '../../../domain/broadcasts/chat/chat.ts'
import { broadcastsByIds, currentBroadcasts } from '../../../domain/broadcasts/queries.ts'
import { stateAt } from '../../../domain/broadcasts/state.ts'
import type { BroadcastRow } from '../../../domain/broadcasts/tables.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { chat, end, start } from '../kinds/broadcasts.ts'
import { type Making, makerFor, otherThan } from './maker.ts'

const HOUR_MS = 3_600_000
const LIMIT = 100

/** A sample broadcast that ended now, or that runs. */
const sampleOf = (user: ProfileRow, making: Making, hasEnded: boolean): Promise<BroadcastRow> => {
  const now = making.clock.now()
  const times = { starts_at: now - HOUR_MS, ...(hasEnded && { ends_at: now }) }
  const title = 'A sample broadcast'
  return addUnannounced(making.tx, { ...PLAIN_SETTINGS, title, user_id: user.id, ...times }, making)
}

/** A running broadcast of the user that is not locked. It is made if there is none. */
async function runningOf(user: ProfileRow, making: Making): Promise<BroadcastRow> {
  const { tx, clock } = making
  const current = await tx.all(currentBroadcasts, { user: user.id, limit: LIMIT })
  const rows = await tx.all(broadcastsByIds, { ids: JSON.stringify(current.map(({ id }) => id)) })
  const isRunning = (row: BroadcastRow) => row.locked === 0 && stateAt(row, clock.now()) === 'Running'
  return rows.find(isRunning) ?? sampleOf(user, making, false)
}

const factsOf = ({ id, user_id }: BroadcastRow) => ({ broadcast_id: id, owner_id: user_id })

export const broadcastMakers = [
  makerFor(start, async (user, making) => factsOf(await runningOf(user, making))),
  makerFor(end, async (user, making) => factsOf(await sampleOf(user, making, true))),
  makerFor(chat, async (user, making) => {
    const row = await runningOf(user, making)
    const author = await otherThan(user, making)
    const message = { authorId: author.id, text: 'This is a sample message.', replyTo: null }
    const { id } = await addMessageTo(making.tx, row, message, making)
    return { ...factsOf(row), message_id: id }
  }),
]
