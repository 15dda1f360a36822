import { eventKind } from '../../platform/events/event.ts'

export type EmittedData = {
  /** The kind of the activity. */
  kind: string
  /** The user that filters name; empty for kinds without a user. */
  user_id: string
  /** Text that keywords are matched against; empty for other kinds. */
  text: string
  /** Empty for kinds about users or texts. */
  app_id: string
  /** `outbound` or `inbound`; empty for both. */
  direction: string
  /** What it is rendered from, as JSON text. */
  facts: string
  /** The members that replace those of its objects, as JSON text. */
  over: string
}

/** An operator or a test emits an activity that did not happen. */
export const activityEmitted = eventKind<EmittedData>(
  'activity.emitted',
  ({ user_id, app_id, kind }) => user_id || app_id || kind,
)
