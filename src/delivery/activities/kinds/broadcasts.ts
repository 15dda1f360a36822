import { Type } from 'typebox'
import { messagesByIds } from '../../../domain/broadcasts/chat/queries.ts'
import { broadcastEnded, broadcastMessageSent, broadcastStarted } from '../../../domain/broadcasts/events.ts'
import { languageOf, thumbnailsOf } from '../../../domain/broadcasts/object.ts'
import { broadcastsByIds } from '../../../domain/broadcasts/queries.ts'
import type { EventKind } from '../../../platform/events/event.ts'
import { activityKind, type KindOf, sourceOf } from '../kind.ts'
import { closed, WrappedUser } from '../payloads.ts'
import type { ActivityReader } from '../reader.ts'

// Types, not interfaces: event data need an index signature.
type OfBroadcast = { broadcast_id: string; owner_id: string }
type OfMessage = OfBroadcast & { message_id: string }

const ms = (description: string) => Type.Integer({ description: `${description}, in milliseconds.` })

const Change = Type.Object(
  {
    user: WrappedUser,
    broadcast_id: Type.String({ description: 'The broadcast.' }),
    event_timestamp_ms: ms('When it started or ended'),
    title: Type.String({ description: 'Title.' }),
    broadcast_state: Type.Enum(['Running', 'Ended'], { description: 'What became of it.' }),
    created_timestamp_ms: ms('When it was created'),
    updated_timestamp_ms: ms('When it was last changed'),
    duration_ms: Type.Optional(ms('How long it lasted')),
    language: Type.String({ description: 'Language.' }),
    thumbnail_url: Type.Optional(Type.String({ description: 'The picture.' })),
    available_for_replay: Type.Boolean({ description: 'Whether it can be watched after its end.' }),
  },
  closed,
)

const parts = async (facts: readonly OfBroadcast[], reader: ActivityReader) => {
  const ids = JSON.stringify([...new Set(facts.map(({ broadcast_id }) => broadcast_id))])
  const rows = await reader.store.all(broadcastsByIds, { ids })
  return {
    rows: new Map(rows.map((row) => [row.id, row])),
    pictures: await thumbnailsOf(rows, reader),
    users: await reader.users(facts.map(({ owner_id }) => owner_id)),
  }
}

const changeKind = (change: 'start' | 'end', description: string) =>
  activityKind<OfBroadcast>({
    name: `broadcast.${change}`,
    description,
    payload: Change,
    async prepare(facts, reader) {
      const { rows, pictures, users } = await parts(facts, reader)
      return ({ broadcast_id, owner_id }) => {
        const [user, row] = [users(owner_id), rows.get(broadcast_id)]
        const at = change === 'start' ? row?.starts_at : row?.ends_at
        // A locked one is for its owner alone.
        if (!user || !row || row.starts_at === null || at == null || row.locked === 1) return undefined
        return {
          payload: {
            ...{ user: { data: user }, broadcast_id, event_timestamp_ms: at, title: row.title },
            broadcast_state: change === 'start' ? 'Running' : 'Ended',
            ...{ created_timestamp_ms: row.created_at, updated_timestamp_ms: row.updated_at },
            ...(change === 'end' && { duration_ms: at - row.starts_at }),
            ...{ language: languageOf(row), thumbnail_url: pictures(row) },
            available_for_replay: row.available_for_replay === 1,
          },
        }
      }
    },
  })

export const start = changeKind('start', 'A broadcast of the user goes live.')
export const end = changeKind('end', 'A broadcast of the user ends.')

export const chat = activityKind<OfMessage>({
  name: 'broadcast.chat',
  description: 'Somebody writes in the chat of a broadcast of the user.',
  scope: 'broadcast.read',
  payload: Type.Object(
    {
      broadcast_id: Type.String({ description: 'The broadcast.' }),
      message_id: Type.String({ description: 'The message.' }),
      message: Type.String({ description: 'What it says.' }),
      author: WrappedUser,
    },
    closed,
  ),
  async prepare(facts, reader) {
    const ids = JSON.stringify(facts.map(({ message_id }) => message_id))
    const rows = await reader.store.all(messagesByIds, { ids })
    const messages = new Map(rows.map((row) => [row.id, row]))
    const users = await reader.users(rows.map(({ author_id }) => author_id))
    return ({ message_id }) => {
      const row = messages.get(message_id)
      const author = row && users(row.author_id)
      return (
        author && {
          payload: {
            ...{ broadcast_id: row.broadcast_id, message_id: row.sent_ns, message: row.text },
            author: { data: author },
          },
        }
      )
    }
  },
})

export const broadcastKinds = [start, end, chat]

const ofOwner = <Data extends OfBroadcast>(event: EventKind<Data>, kind: KindOf<Data>) =>
  sourceOf(event, (facts, logged) => [kind.of({ event: logged, facts, subject: { user: facts.owner_id } })])

export const broadcastSources = [
  ofOwner(broadcastStarted, start),
  ofOwner(broadcastEnded, end),
  ofOwner(broadcastMessageSent, chat),
]
