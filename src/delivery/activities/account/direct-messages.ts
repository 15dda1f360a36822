import { Type } from 'typebox'
import {
  ClassicMessage,
  ClassicRead,
  ClassicTyping,
  classicMessages,
} from '../../../domain/direct-messages/classic.ts'
import { appNamesByIds } from '../../../domain/posts/queries.ts'
import { profilesOf } from '../../../identity/users/profiles.ts'
import { id } from '../../../platform/http/schema.ts'
import type { KindOf } from '../kind.ts'
import { type Between, read, received, sent, typing } from '../kinds/direct-messages.ts'
import { closed } from '../payloads.ts'
import { accountForm } from './form.ts'
import { DirectMessageUsers, directMessageUsers } from './users.ts'

const forUser = { for_user_id: id('The user whose activity it is.') }

const App = Type.Object({ id: id('The app.'), name: Type.String(), url: Type.String() }, closed)

const messages = accountForm({
  kinds: [received, sent],
  member: 'direct_message_events',
  isPrivate: true,
  schema: Type.Object(
    {
      ...forUser,
      direct_message_events: Type.Array(ClassicMessage),
      apps: Type.Optional(Type.Object({}, { additionalProperties: App })),
      users: DirectMessageUsers,
    },
    closed,
  ),
  async prepare(activities, { store, mediaOrigin }) {
    const facts = activities.map((one) => one.facts)
    const users = await profilesOf(
      facts.flatMap(({ row, recipients }) => [row.sender_id, ...recipients]),
      store,
    )
    const shown = await classicMessages(
      facts.map(({ row }) => row),
      { store, mediaOrigin },
    )
    const appIds = [...new Set(facts.map(({ row }) => row.app_id))]
    const apps = await store.all(appNamesByIds, { ids: JSON.stringify(appIds) })
    return ({ facts: { row, recipients } }) => {
      const app = apps.find((one) => one.id === row.app_id)
      return {
        direct_message_events: shown(row, recipients),
        ...(app && { apps: { [app.id]: { id: app.id, name: app.name, url: app.website } } }),
        users: directMessageUsers([row.sender_id, ...recipients], users, { mediaOrigin }),
      }
    }
  },
})

const betweenForm = <Data extends Between>(
  { kind, member }: { kind: KindOf<{ data: Data; at: number }>; member: string },
  schema: typeof ClassicTyping | typeof ClassicRead,
  show: (data: Data) => object,
) =>
  accountForm({
    kinds: [kind],
    member,
    isPrivate: true,
    schema: Type.Object({ ...forUser, [member]: Type.Array(schema), users: DirectMessageUsers }, closed),
    async prepare(activities, { store, mediaOrigin }) {
      const users = await profilesOf(
        activities.flatMap(({ facts: { data } }) => [data.sender_id, data.recipient_id]),
        store,
      )
      return ({ facts: { data, at } }) => {
        const { sender_id, recipient_id } = data
        const shown = { created_timestamp: String(at), sender_id, target: { recipient_id }, ...show(data) }
        return {
          [member]: [shown],
          users: directMessageUsers([sender_id, recipient_id], users, { mediaOrigin }),
        }
      }
    },
  })

export const directMessageForms = [
  messages,
  betweenForm({ kind: typing, member: 'direct_message_indicate_typing_events' }, ClassicTyping, () => ({})),
  betweenForm(
    { kind: read, member: 'direct_message_mark_read_events' },
    ClassicRead,
    ({ last_read_event_id }) => ({ last_read_event_id }),
  ),
]
