import { eventKind } from '../../platform/events/event.ts'

/** A webhook of an app was linked to the filtered stream, or unlinked. */
export const streamLinksChanged = eventKind<{ app_id: string }>(
  'stream_links.changed',
  ({ app_id }) => app_id,
)

/** Rules of an app were added or deleted; `stream` is `filtered` or `powerstream`. */
export const streamRulesChanged = eventKind<{ app_id: string; stream: string }>(
  'stream_rules.changed',
  ({ app_id }) => app_id,
)
