import { eventKind } from '../events/event.ts'

/** Rules of an app were added or deleted; `stream` is `filtered` or `powerstream`. */
export const streamRulesChanged = eventKind<{ app_id: string; stream: string }>(
  'stream_rules.changed',
  ({ app_id }) => app_id,
)
