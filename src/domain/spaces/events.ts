import { eventKind } from '../../platform/events/event.ts'

type Space = { space_id: string; creator_id: string }

/** A space goes live. */
export const spaceStarted = eventKind<Space>('space.started', ({ space_id }) => space_id)

/** A space ends. */
export const spaceEnded = eventKind<Space>('space.ended', ({ space_id }) => space_id)
