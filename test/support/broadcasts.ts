import type { Context } from '../../src/app/start/context.ts'
import { makeBroadcast, type NewBroadcast, PLAIN_SETTINGS } from '../../src/domain/broadcasts/broadcasts.ts'
import { sendMessage } from '../../src/domain/broadcasts/chat/chat.ts'
import { makeSource } from '../../src/domain/broadcasts/sources.ts'
import type { BroadcastMessageRow, BroadcastRow } from '../../src/domain/broadcasts/tables.ts'

/** A broadcast of a user that runs, unless it is scheduled. */
export const makeABroadcast = (
  context: Context,
  broadcast: Partial<NewBroadcast> & { user_id: string },
): Promise<BroadcastRow> =>
  context.store.write((tx) =>
    makeBroadcast(tx, { ...PLAIN_SETTINGS, title: 'A broadcast', ...broadcast }, context),
  )

/** A source of a user. Resolves to its id. */
export async function makeASource(
  context: Context,
  owner: { id: string },
  receiving = true,
): Promise<string> {
  const id = `source-${context.ids.next()}`
  const size = { width: 1280, height: 720, high_latency: 0 }
  await context.store.write((tx) =>
    makeSource(tx, {
      ...{ id, user_id: owner.id, name: 'Studio', receiving: Number(receiving), ...size },
      created_at: tx.now,
    }),
  )
  return id
}

/** A message in the chat of a broadcast. */
export const writeIn = (
  context: Context,
  broadcast: BroadcastRow,
  author: { id: string },
): Promise<BroadcastMessageRow> =>
  context.store.write((tx) =>
    sendMessage(tx, broadcast, { authorId: author.id, text: 'A message', replyTo: null }, context),
  )
