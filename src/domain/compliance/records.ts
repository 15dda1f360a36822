import { userSuspended } from '../../identity/apps/events.ts'
import { profileUpdated, userDeleted } from '../../identity/users/events.ts'
import { isOfKind, type LoggedEvent } from '../../platform/events/event.ts'
import { type Consumer, IGNORED } from '../../platform/events/follower.ts'
import { postDeleted } from '../posts/events.ts'
import { putRecord } from './queries.ts'
import type { ComplianceRecordRow } from './tables.ts'

export const POST_DELETED = 'post.deleted'
export const USER_DELETED = 'user.deleted'
export const USER_SUSPENDED = 'user.suspended'
export const USER_PROTECTED = 'user.protected'

function recordsIn(event: LoggedEvent): readonly ComplianceRecordRow[] {
  const { at } = event
  if (isOfKind(event, postDeleted))
    return event.data.version_ids.split(',').map((id) => ({ kind: POST_DELETED, id, at }))
  if (isOfKind(event, userDeleted)) return [{ kind: USER_DELETED, id: event.data.user_id, at }]
  if (isOfKind(event, userSuspended)) return [{ kind: USER_SUSPENDED, id: event.data.user_id, at }]
  if (isOfKind(event, profileUpdated) && event.data.field === 'protected' && event.data.after === 1)
    return [{ kind: USER_PROTECTED, id: event.data.user_id, at }]
  return []
}

/** Records when posts and users were deleted, suspended or protected. Rows do not say it. */
export const complianceRecording = (): Consumer => ({
  name: 'compliance records',
  async take(events) {
    const records = events.flatMap(recordsIn)
    if (records.length === 0) return IGNORED
    return async (tx) => {
      for (const record of records) await tx.run(putRecord, record)
    }
  },
  // Results then have no time for what happened meanwhile.
  missed: () => undefined,
})
