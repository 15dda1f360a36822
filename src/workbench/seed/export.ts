import { noteWriterById } from '../../domain/notes/queries.ts'
import { LOCKED_PASSWORD } from '../../identity/users/password.ts'
import { pageOfUsers, profilesByIds } from '../../identity/users/queries.ts'
import type { ProfileRow } from '../../identity/users/tables.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import { isoTime } from '../../platform/common/time.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import { recallSeeded } from '../create/seeded.ts'
import { exportApps } from './export-apps.ts'
import { exportBroadcasts, exportSources } from './export-broadcasts.ts'
import { exportCommunities } from './export-communities.ts'
import { exportLists } from './export-lists.ts'
import { exportMessages } from './export-messages.ts'
import { exportPosts } from './export-posts.ts'
import { exportPreviews } from './export-previews.ts'
import { exportSpaces } from './export-spaces.ts'
import type { ExportedNames } from './exported-names.ts'
import { relationsOfUsers } from './queries.ts'

/** What an export contains. */
export interface ExportBounds {
  /** Maximum number of users. Synthetic users are never exported. */
  readonly users: number
  /** Maximum number of posts, of direct messages and of spaces: the newest. */
  readonly posts: number
  /** Maximum size of all media together. Those of the newest posts come first. */
  readonly mediaBytes: number
  /** Whether passwords, keys and tokens that the seed of the store created are included. */
  readonly secrets: boolean
}

interface ExportDependencies {
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: TimeSource
  readonly files: Pick<FileStore, 'read'>
}

const PAGE = 500
const MAX_SPACES = 1000
const MAX_LISTS = 1000
const MAX_SOURCES = 1000
const MAX_BROADCASTS = 1000

/**
 * The state of a store as a seed: users with their profiles and relations, posts, reactions, polls,
 * messages, spaces, lists, communities, broadcasts, and apps with what they receive, as far as both
 * sides of each are exported. Resolves to plain values, which the schema of seed files describes,
 * and to the names of users and posts in it.
 */
export async function exportSeed(
  { store, sealer, clock, files }: ExportDependencies,
  bounds: ExportBounds,
): Promise<{ seed: object; names: ExportedNames; nameOf: ReadonlyMap<string, string> }> {
  const users = await readUsers(store, bounds.users)
  const names: ExportedNames = new Map(users.map((row) => [row.id, row.screen_name]))
  const record = bounds.secrets ? await recallSeeded(store, sealer) : undefined
  const { communities, communityNames } = await exportCommunities(store, names)
  const { posts, nameOf } = await exportPosts({ store, files }, names, { ...bounds, communityNames })
  const relations = await relationsBySource(store, names)
  const passwords = new Map(record?.users.map(({ id, password }) => [id, password]))
  const exported = []
  for (const row of users)
    exported.push({
      ...profileOf(row, names),
      ...(passwords.has(row.id) && { password: passwords.get(row.id) }),
      ...(await noteWriterOf(store, row)),
      ...(row.pinned_post_id !== null &&
        nameOf.has(row.pinned_post_id) && { pinned_post: nameOf.get(row.pinned_post_id) }),
      ...relations.get(row.id),
    })
  const sources = await exportSources(store, names, MAX_SOURCES)
  const seed = {
    users: exported,
    apps: await exportApps({ store, clock }, names, record),
    link_previews: await exportPreviews(store),
    posts,
    direct_messages: await exportMessages(store, names, bounds.posts),
    spaces: await exportSpaces(store, names, { limit: Math.min(MAX_SPACES, bounds.posts), nameOf }),
    lists: await exportLists(store, names, Math.min(MAX_LISTS, bounds.posts)),
    broadcast_sources: sources,
    broadcasts: await exportBroadcasts(store, names, {
      limit: Math.min(MAX_BROADCASTS, bounds.posts),
      sources: new Set(sources.map(({ id }) => id)),
      now: clock.now(),
    }),
    communities,
  }
  return { seed, names, nameOf }
}

async function readUsers(store: Store, limit: number): Promise<ProfileRow[]> {
  const users: ProfileRow[] = []
  for (let after = ''; users.length < limit; ) {
    const page = await store.all(pageOfUsers, { after, limit: Math.min(PAGE, limit - users.length) })
    if (page.length === 0) break
    const rows = await store.all(profilesByIds, { ids: JSON.stringify(page.map(({ id }) => id)) })
    const byId = new Map(rows.map((row) => [row.id, row]))
    users.push(...page.flatMap(({ id }) => byId.get(id) ?? []))
    after = page.at(-1)?.id ?? FIRST_ID
  }
  return users
}

/** Members that are not their defaults. */
function profileOf(row: ProfileRow, names: ExportedNames) {
  const affiliation = row.affiliation_user_id === null ? undefined : names.get(row.affiliation_user_id)
  return {
    screen_name: row.screen_name,
    name: row.name,
    ...(row.password_hash === LOCKED_PASSWORD && { can_sign_in: false }),
    ...(row.description !== '' && { description: row.description }),
    ...(row.location !== '' && { location: row.location }),
    ...(row.url !== null && { url: row.url }),
    ...(row.profile_image_url !== null && { profile_image_url: row.profile_image_url }),
    ...(row.profile_banner_url !== null && { profile_banner_url: row.profile_banner_url }),
    ...(row.protected === 1 && { protected: true }),
    ...(row.verified_type !== 'none' && { verified_type: row.verified_type }),
    ...(row.subscription_type !== 'None' && { subscription_type: row.subscription_type }),
    ...(row.direct_messages_from !== 'everyone' && { direct_messages_from: row.direct_messages_from }),
    ...(affiliation !== undefined && { affiliation }),
    ...(row.suspended === 1 && { suspended: true }),
    ...(row.parody === 1 && { parody: true }),
    ...(row.identity_verified === 1 && { is_identity_verified: true }),
    ...(row.withheld_in !== null && { withheld_in: JSON.parse(row.withheld_in) as string[] }),
    created_at: isoTime(row.created_at),
  }
}

async function noteWriterOf(store: Store, { id }: ProfileRow) {
  const writer = await store.first(noteWriterById, { user: id })
  return writer && { note_writer: writer.is_top === 1 ? 'top' : 'regular' }
}

const MEMBERS: Readonly<Record<string, 'follows' | 'blocks' | 'mutes'>> = {
  follow: 'follows',
  block: 'blocks',
  mute: 'mutes',
}

/** The relations of each user as members of a seed, each list in the order of the names. */
async function relationsBySource(store: Store, names: ExportedNames) {
  const rows = await store.all(relationsOfUsers, { sources: JSON.stringify([...names.keys()]) })
  const bySource = new Map<string, { follows?: string[]; blocks?: string[]; mutes?: string[] }>()
  const named = rows.flatMap(({ source_id, target_id, kind }) => {
    const [target, member] = [names.get(target_id), MEMBERS[kind]]
    return target === undefined || member === undefined ? [] : [{ source_id, target, member }]
  })
  for (const { source_id, target, member } of named.toSorted((a, b) => (a.target < b.target ? -1 : 1))) {
    const lists = bySource.get(source_id) ?? {}
    bySource.set(source_id, lists)
    const list = lists[member] ?? []
    lists[member] = list
    list.push(target)
  }
  return bySource
}
