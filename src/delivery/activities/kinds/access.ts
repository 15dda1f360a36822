import { Type } from 'typebox'
import { appRevoked } from '../../../identity/apps/events.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { id } from '../../../platform/http/schema.ts'
import { activityKind, sourceOf } from '../kind.ts'
import { closed } from '../payloads.ts'

export const oauthRevoke = activityKind<{ user_id: string; app_id: string; at: number }>({
  name: 'oauth.revoke',
  description: 'A user revokes the last access of the app.',
  filter: 'none',
  payload: Type.Object(
    {
      date_time: Type.String({ description: 'When, like `2026-02-03T04:05:06+00:00`.' }),
      user_id: id('The user.'),
      app_id: id('The app.'),
    },
    closed,
  ),
  prepare: async () => {
    return ({ user_id, app_id, at }) => ({ payload: { date_time: zonedTime(at), user_id, app_id } })
  },
})

/** ISO 8601 with seconds and a numeric zone. */
export const zonedTime = (at: number) => isoTime(at).replace(/\.\d{3}Z$/, '+00:00')

export const accessKinds = [oauthRevoke]

export const accessSources = [
  sourceOf(appRevoked, (data, event) => [
    oauthRevoke.of({ event, facts: { ...data, at: event.at }, subject: { app: data.app_id } }),
  ]),
]
