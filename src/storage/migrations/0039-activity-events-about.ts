import type { Migration } from './migration.ts'

/**
 * What activities are about, so that streams of the past leave out what must no longer be seen. Rows of before tell nothing of it,
 * and are sent as they were; they go within 25 hours.
 */
export const activityEventsAbout: Migration = {
  name: '0039-activity-events-about',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

const SQLITE = [
  'alter table "activity_events" add column "post_id" text',
  'alter table "activity_events" add column "user_id" text',
  'alter table "activity_events" add column "scope" text',
]

const POSTGRES = [
  'alter table "activity_events" add column "post_id" text',
  'alter table "activity_events" add column "user_id" text',
  'alter table "activity_events" add column "scope" text',
]
