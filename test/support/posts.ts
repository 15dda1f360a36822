import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountMedia } from '../../src/api/ads/account-media/account-media.ts'
import { draftPosts } from '../../src/api/ads/draft-posts/draft-posts.ts'
import { promotableUsers } from '../../src/api/ads/promotable-users/promotable-users.ts'
import { enqueuePublication } from '../../src/api/ads/scheduled-posts/publication.ts'
import { scheduledPosts } from '../../src/api/ads/scheduled-posts/scheduled-posts.ts'
import type { Context } from '../../src/app/start/context.ts'
import { NO_DICTIONARY } from '../../src/domain/annotations/dictionary.ts'
import { claimImport } from '../../src/domain/posts/import/claim.ts'
import { importFile } from '../../src/domain/posts/import/import.ts'
import { insertPost, type NewPost } from '../../src/domain/posts/insert.ts'
import type { PostRow } from '../../src/domain/posts/tables.ts'
import { nextBase36 } from '../../src/platform/common/ids.ts'
import type { Advertiser } from './advertiser.ts'

let count = 0

/** A post of a user, made without a call. */
export const makePost = (context: Context, post: Partial<NewPost> & { authorId: string }): Promise<PostRow> =>
  context.store.write((tx) =>
    insertPost(
      tx,
      {
        environment: 'production',
        text: `Post number ${++count}`,
        nullcast: false,
        replySettings: 'everyone',
        appId: '1',
        contributorId: null,
        ...post,
      },
      context,
    ),
  )

/**
 * Imports a file of lines, and creates missing authors. Resolves to the reasons why lines were
 * omitted.
 */
export async function importLines(
  { store, ids, clock, naming }: Pick<Context, 'store' | 'ids' | 'clock' | 'naming'>,
  lines: readonly (string | object)[],
): Promise<string[]> {
  const name = randomUUID()
  const file = join(tmpdir(), `plaza-import-${name}.jsonl`)
  const text = lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')
  await writeFile(file, text)
  const reasons: string[] = []
  try {
    const importer = { holder: name, host: 'here', pid: 7 }
    const parts = { store, clock, importer, isAlive: () => true }
    await importFile(file, {
      ...{
        store,
        ids,
        clock,
        dictionary: NO_DICTIONARY,
        vocabulary: naming.vocabulary,
        createAuthors: true,
        signal: new AbortController().signal,
      },
      claim: await claimImport({ id: name, name, afresh: false }, parts),
      progress: () => undefined,
      report: (line, reason) => void reasons.push(`${line}: ${reason}`),
    })
  } finally {
    await rm(file)
  }
  return reasons
}

/** An image or video of an account without an entry in the library. */
export const makeMedium = (advertiser: Advertiser, creativeType: string) =>
  advertiser.make(accountMedia, {
    creative_type: creativeType,
    media_url: creativeType === 'PREROLL' ? null : 'https://media.example.com/1.png',
    video_id: creativeType === 'PREROLL' ? '13_1' : null,
    media_key: null,
  })

/** A post to be published in an hour, or at a given time. */
export async function schedulePost(
  { store, ids, clock }: Context,
  { account }: Advertiser,
  { userId, inMs = 3_600_000 }: { userId: string; inMs?: number },
): Promise<string> {
  const id = ids.next()
  const now = clock.now()
  const row = {
    account_id: account.id,
    id,
    visibility: 0,
    user_id: userId,
    app_id: '1',
    contributor_id: null,
    name: null,
    name_key: null,
    text: 'Later',
    card_uri: null,
    media_keys: '[]',
    nullcast: 1,
    scheduled_at: now + inMs,
    scheduled_status: 'SCHEDULED',
    completed_at: null,
    post_id: null,
    created_at: now,
    updated_at: now,
  }
  await store.write(async (tx) => {
    await tx.run(scheduledPosts.rows.add, row)
    await enqueuePublication(tx, row)
  })
  return id
}

/** A draft post of a user. */
export async function makeDraft(
  { store, ids, clock }: Context,
  { account }: Advertiser,
  userId: string,
): Promise<string> {
  const id = ids.next()
  const now = clock.now()
  await store.write((tx) =>
    tx.run(draftPosts.rows.add, {
      account_id: account.id,
      id,
      visibility: 0,
      user_id: userId,
      app_id: '1',
      contributor_id: null,
      name: null,
      name_key: null,
      text: 'Some day',
      card_uri: null,
      media_keys: '[]',
      nullcast: 1,
      created_at: now,
      updated_at: now,
    }),
  )
  return id
}

/** Lets an account promote the posts of another user as reposts. */
export const letRepost = (context: Context, { account }: Advertiser, userId: string) => {
  const now = context.clock.now()
  return context.store.write((tx) =>
    tx.run(promotableUsers.rows.add, {
      account_id: account.id,
      id: nextBase36(context.ids),
      visibility: 0,
      created_at: now,
      updated_at: now,
      deleted: 0,
      user_id: userId,
      promotable_user_type: 'REPOSTS_ONLY',
    }),
  )
}
