import { eventKind } from '../../platform/events/event.ts'

type SpaceEventData = { space_id: string; creator_id: string }

/** A space goes live. */
export const spaceStarted = eventKind<SpaceEventData>('space.started', ({ space_id }) => space_id)

/** A space ends. */
export const spaceEnded = eventKind<SpaceEventData>('space.ended', ({ space_id }) => space_id)
