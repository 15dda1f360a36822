import { Type } from 'typebox'
import { profilesOf } from '../../identity/users/profiles.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import { component, id } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type Entities, lengthOf } from '../../platform/text/entities.ts'
import { mediaByKeys } from '../media/media.ts'
import type { MediaRow } from '../media/tables.ts'
import { ClassicEntities, classicEntities } from '../posts/classic.ts'
import { ClassicMedium, classicMedium } from '../posts/classic-media.ts'
import type { DmEventRow } from './tables.ts'

// Direct messages in the classic form, which is older than `/2/`, as events show them.

const closed = { additionalProperties: false }
const timestamp = Type.String({ pattern: '^[0-9]{1,19}$', description: 'Epoch milliseconds.' })

/** A message (core reference, 02 sections 5.1 and 6.4). */
export const ClassicMessage = component(
  'ClassicMessage',
  Type.Object(
    {
      type: Type.String({ description: '`message_create`.' }),
      id: id('The message.'),
      created_timestamp: timestamp,
      message_create: Type.Object(
        {
          target: Type.Object({ recipient_id: id('Who received it.') }, closed),
          sender_id: id('Who sent it.'),
          source_app_id: Type.Optional(id('The app that sent it.')),
          message_data: Type.Object(
            {
              text: Type.String(),
              entities: ClassicEntities,
              attachment: Type.Optional(
                Type.Object(
                  { type: Type.Enum(['media'], { description: 'What it is.' }), media: ClassicMedium },
                  closed,
                ),
              ),
            },
            closed,
          ),
        },
        closed,
      ),
    },
    closed,
  ),
  'A direct message.',
)

interface ClassicMessageOptions {
  readonly store: Pick<Store, 'all'>
  readonly mediaOrigin: string
}

/**
 * Messages as their recipients see them; their senders see the same. Reads what they show at once.
 */
export async function classicMessages(
  rows: readonly DmEventRow[],
  { store, mediaOrigin }: ClassicMessageOptions,
) {
  const users = await profilesOf(rows.flatMap(mentionedUserIds), store)
  const shown = await mediaByKeys(store, rows.flatMap(keysOf))
  const media = new Map(shown.flatMap((row) => (row ? [[row.media_key, row]] : [])))
  return (row: DmEventRow, recipients: readonly string[]) => {
    const message_data = dataOf(row, { users, media, mediaOrigin })
    return recipients.map((recipient) => ({
      type: 'message_create',
      id: row.id,
      created_timestamp: String(row.created_at),
      message_create: {
        target: { recipient_id: recipient },
        sender_id: row.sender_id,
        source_app_id: row.app_id,
        message_data,
      },
    }))
  }
}

/** Everyone whose name a message shows. */
const mentionedUserIds = (row: DmEventRow) =>
  (JSON.parse(row.entities) as Entities).mentions.map(({ id: userId }) => userId)

const keysOf = ({ media_keys }: DmEventRow): string[] => JSON.parse(media_keys)

interface MessageReferences {
  readonly users: ReadonlyMap<string, ProfileRow>
  readonly media: ReadonlyMap<string, MediaRow>
  readonly mediaOrigin: string
}

function dataOf(row: DmEventRow, { users, media, mediaOrigin }: MessageReferences) {
  const { text } = row
  const entities = classicEntities(JSON.parse(row.entities) as Entities, Number.POSITIVE_INFINITY, users)
  const medium = keysOf(row).flatMap((key) => media.get(key) ?? [])[0]
  if (!medium) return { text, entities }
  const shown = classicMedium(medium, { end: lengthOf(text), mediaOrigin })
  return { text, entities, attachment: { type: 'media', media: shown } }
}

const between = {
  created_timestamp: timestamp,
  sender_id: id('Who writes, or has read.'),
  target: Type.Object({ recipient_id: id('The other user.') }, closed),
}

/** A user is writing. */
export const ClassicTyping = component('ClassicTyping', Type.Object(between, closed), 'A user is writing.')

/** A user has read messages. */
export const ClassicRead = component(
  'ClassicRead',
  Type.Object({ ...between, last_read_event_id: id('The newest message that was read.') }, closed),
  'A user has read messages.',
)
