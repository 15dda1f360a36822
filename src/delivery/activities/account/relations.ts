import { Type } from 'typebox'
import { ClassicUser, classicUser } from '../../../identity/users/classic-user.ts'
import { profilesOf } from '../../../identity/users/profiles.ts'
import { id } from '../../../platform/http/schema.ts'
import type { KindOf } from '../kind.ts'
import { oauthRevoke, zonedTime } from '../kinds/access.ts'
import { block, follow, mute, type Relation, unblock, unfollow, unmute } from '../kinds/relations.ts'
import { closed } from '../payloads.ts'
import { accountForm } from './form.ts'

/** `on` and `off` begin and end a relation. Both are reported in the same member. */
const relationForm = (member: string, on: KindOf<Relation>, off: KindOf<Relation>) => {
  const typeOf = (name: string) => name.slice(name.indexOf('.') + 1)
  return accountForm({
    kinds: [on, off],
    member,
    schema: Type.Object(
      {
        for_user_id: id('The user whose activity it is.'),
        [member]: Type.Array(
          Type.Object(
            {
              type: Type.Enum([typeOf(on.name), typeOf(off.name)], { description: 'What happened.' }),
              created_timestamp: Type.String({ description: 'When, in epoch milliseconds.' }),
              source: ClassicUser,
              target: ClassicUser,
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    async prepare(activities, { store, mediaOrigin }) {
      const users = await profilesOf(
        activities.flatMap(({ facts }) => [facts.user_id, facts.target_id]),
        store,
      )
      return ({ kind, event, facts: { user_id, target_id } }) => {
        const [source, target] = [users.get(user_id), users.get(target_id)]
        if (!source || !target) return undefined
        const about = { type: typeOf(kind.name), created_timestamp: String(event.at) }
        const both = {
          source: classicUser(user_id, source, { mediaOrigin }),
          target: classicUser(target_id, target, { mediaOrigin }),
        }
        return { [member]: [{ ...about, ...both }] }
      }
    },
  })
}

/** The last activity of a user: the subscription ends with it. */
export const revokedForm = accountForm({
  kinds: [oauthRevoke],
  member: 'user_event',
  schema: Type.Object(
    {
      user_event: Type.Object(
        {
          revoke: Type.Object(
            {
              date_time: Type.String({ description: 'When, like `2026-02-03T04:05:06+00:00`.' }),
              target: Type.Object({ app_id: id('The app.') }, closed),
              source: Type.Object({ user_id: id('The user.') }, closed),
            },
            closed,
          ),
        },
        closed,
      ),
    },
    closed,
  ),
  prepare: async () => {
    return ({ facts: { user_id, app_id, at } }) => ({
      user_event: { revoke: { date_time: zonedTime(at), target: { app_id }, source: { user_id } } },
    })
  },
})

export const relationForms = [
  relationForm('follow_events', follow, unfollow),
  relationForm('block_events', block, unblock),
  relationForm('mute_events', mute, unmute),
]
