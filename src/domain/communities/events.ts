import { eventKind } from '../../platform/events/event.ts'

/**
 * Others may see the posts of a community from now on, or no longer: it was made, its access was
 * changed, or it was deleted. `access` is empty for a deleted one.
 */
export const communityAccessChanged = eventKind<{ community_id: string; access: string }>(
  'community.access_changed',
  ({ community_id }) => community_id,
)
