import { eventKind } from '../events/event.ts'

/** An operator or a test wants subscribers to receive an activity that did not happen. */
export const activityEmitted = eventKind<{
  /** Of the activity. */
  kind: string
  /** Of the filter; empty for kinds without a user. */
  user_id: string
  /** Text in which keywords are searched; empty for other kinds. */
  text: string
  /** Empty for kinds that concern users and texts. */
  app_id: string
  /** `outbound` or `inbound`; empty for both. */
  direction: string
  /** JSON text. */
  payload: string
}>('activity.emitted', ({ user_id, app_id, kind }) => user_id || app_id || kind)
