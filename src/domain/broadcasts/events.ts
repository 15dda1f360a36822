import { eventKind } from '../../platform/events/event.ts'

type BroadcastEventData = { broadcast_id: string; owner_id: string }

/** A broadcast goes live. */
export const broadcastStarted = eventKind<BroadcastEventData>(
  'broadcast.started',
  ({ broadcast_id }) => broadcast_id,
)

/** A broadcast that was live ends. */
export const broadcastEnded = eventKind<BroadcastEventData>(
  'broadcast.ended',
  ({ broadcast_id }) => broadcast_id,
)

/** Somebody writes in the chat of a broadcast. */
export const broadcastMessageSent = eventKind<BroadcastEventData & { message_id: string }>(
  'broadcast.message_sent',
  ({ broadcast_id }) => broadcast_id,
)
