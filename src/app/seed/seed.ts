import { fileURLToPath } from 'node:url'
import type { Dictionary } from '../../domain/annotations/dictionary.ts'
import type { Membership } from '../../domain/audience-members/membership.ts'
import { enrollNoteWriter } from '../../domain/notes/queries.ts'
import { writerRow } from '../../domain/notes/writers.ts'
import type { RepostVocabulary } from '../../domain/posts/repost-text.ts'
import { locationsReady } from '../../domain/reference-data/locations.ts'
import { createApp } from '../../identity/apps/apps.ts'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { createAccessToken } from '../../identity/tokens/access-tokens.ts'
import { grantUserToken } from '../../identity/tokens/user-tokens.ts'
import { MADE_PASSWORD_LENGTH } from '../../identity/users/password.ts'
import {
  chooseMessageSenders,
  createUser,
  prepareUser,
  type UserDependencies,
} from '../../identity/users/users.ts'
import { randomText, seededRandom } from '../../platform/common/random.ts'
import { type Config, ConfigError, seedOf } from '../../platform/config/config.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import { type Store, type Transaction, UniqueViolation } from '../../platform/storage/store.ts'
import {
  recallSeeded,
  recordSeeded,
  type SeededUserToken,
  type SeedRecord,
} from '../../workbench/create/seeded.ts'
import { openSeedAccount } from './advertising/accounts.ts'
import { writeAppContent } from './content/apps.ts'
import { storeMedia } from './content/media.ts'
import { PastIds, rowsOfPosts } from './content/post-rows.ts'
import { instantOf, pastTime } from './content/posts-in-order.ts'
import { communityIdsOf } from './content/write-communities.ts'
import { writeContent } from './content/write.ts'
import { MAX_TOKEN_MS } from './contradictions.ts'
import { addPopulation } from './generated/population.ts'
import type { Seed, SeedUserToken } from './schema.ts'
import { readSeedFile, readSeedObject } from './seed-file.ts'

/**
 * The demo seed of a first start: a developer with an app, an advertiser, and a small town around
 * them.
 */
const DEMO_FILE = fileURLToPath(new URL('demo.yaml', import.meta.url))

/** The demo seed, with times relative to now. */
export const demoSeed = (): Seed => readSeedFile(DEMO_FILE)

export type SeedDependencies = IdentityDependencies &
  UserDependencies & {
    /** Of the texts of reposts. */
    readonly vocabulary: RepostVocabulary
    readonly membership: Membership
    readonly files: FileStore
    /** Finds names and topics in texts. */
    readonly dictionary: Dictionary
  }

/**
 * Writes the seed into an empty store, in one transaction. Undefined if the store was already
 * seeded (by this node or another), or there is nothing to seed.
 */
export async function seedStore(
  store: Store,
  settings: Config,
  parts: SeedDependencies,
): Promise<SeedRecord | undefined> {
  if (await recallSeeded(store, parts.sealer)) return undefined
  const now = parts.clock.now()
  const seed = readSeed(seedOf(settings), settings.seedPopulation, now)
  if (!seed) return undefined
  const people = await preparedUsers(seed, now, parts)
  const personNamed = peopleByName(people)
  const idOf = (screenName: string) => personNamed(screenName).id
  const content = { now, ids: parts.ids, clock: parts.clock, config: settings, personNamed }
  const files = await storeMedia(seed, { now, idOf, context: { ...parts, store } })
  const posts = await rowsOfPosts(seed, {
    ...{ ...parts, ...content, files, communities: communityIdsOf(seed, now) },
  })
  // Names of targeting in a seed are those of its schema, whatever the vocabulary.
  const ads = {
    ...parts,
    config: settings,
    store,
    naming: { vocabulary: neutralVocabulary, problemBase: '' },
  }
  const advertising = { now, ads, idOf, postIds: posts.idOf, pastIds: new PastIds() }
  // Rules of targeting need them.
  if (seed.accounts?.some(({ campaigns }) => campaigns)) await locationsReady()
  try {
    return await store.write(async (tx) => {
      for (const { row, noteWriter, messagesFrom } of people) {
        await createUser(tx, row)
        if (noteWriter) await tx.run(enrollNoteWriter, writerRow(row.id, noteWriter, tx.now))
        if (messagesFrom) await chooseMessageSenders(tx, row.id, messagesFrom)
      }
      await writeContent(tx, seed, posts, content)
      const apps: SeedRecord['apps'] = []
      for (const [index, app] of (seed.apps ?? []).entries()) {
        const made = await seedApp(tx, app, idOf, parts)
        const owner = { id: made.id, ownerUserId: idOf(app.owner) }
        await writeAppContent(tx, app, { app: owner, index }, { ...parts, config: settings, idOf })
        apps.push(made)
      }
      const accounts: SeedRecord['accounts'] = []
      for (const [index, account] of (seed.accounts ?? []).entries())
        accounts.push(await openSeedAccount(tx, account, index, advertising))
      await addPopulation(tx, {
        size: seed.population ?? 0,
        now: parts.clock.now(),
        // Separate, so that every other id and secret of a seed is the same with any population.
        random: seededRandom(`population ${settings.seedRandom ?? ''}`),
      })
      const users = people.flatMap(({ row, password }) =>
        // What nobody can sign in with is no secret to keep.
        password === null ? [] : [{ id: row.id, screenName: row.screen_name, name: row.name, password }],
      )
      const seeded = { users, apps, accounts }
      await recordSeeded(tx, parts.sealer, seeded)
      return seeded
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    // Another node has seeded the same store.
    if (await recallSeeded(store, parts.sealer)) return undefined
    throw new Error(
      `The database already has a user, key or token of the seed (${error.message}). Remove it from the seed, or start with --seed=none.`,
      { cause: error },
    )
  }
}

/**
 * The users of a seed, with passwords where it has none. Hashing takes long, so it comes before the
 * transaction.
 */
const preparedUsers = (seed: Seed, now: number, parts: UserDependencies) =>
  Promise.all(
    seed.users.map(async (user) => {
      const password =
        user.can_sign_in === false ? null : (user.password ?? randomText(parts.random, MADE_PASSWORD_LENGTH))
      const isMade = user.password === undefined
      const row = await prepareUser(
        { screenName: user.screen_name, name: user.name, password, isMade },
        parts,
      )
      return {
        password,
        noteWriter: user.note_writer,
        messagesFrom: user.direct_messages_from,
        row: { ...row, created_at: pastTime(user.created_at, now) ?? now },
      }
    }),
  )

/** Finds users of the seed by their screen names. The result throws for a name that it lacks. */
function peopleByName(people: Awaited<ReturnType<typeof preparedUsers>>) {
  const byKey = new Map(
    people.map(({ row }) => [row.screen_name_key, { id: row.id, screenName: row.screen_name }]),
  )
  return (screenName: string) => {
    const person = byKey.get(screenName.toLowerCase())
    if (!person) throw new Error(`the seed names the user "${screenName}" but does not create it`)
    return person
  }
}

/** Registers an app of a seed, with its grants. */
async function seedApp(
  tx: Transaction,
  app: NonNullable<Seed['apps']>[number],
  idOf: (screenName: string) => string,
  parts: IdentityDependencies,
): Promise<SeedRecord['apps'][number]> {
  const keys = await createApp(
    tx,
    {
      name: app.name,
      website: app.website,
      ownerUserId: idOf(app.owner),
      callbacks: app.callbacks,
      permission: app.permission,
      kind: app.kind,
      signIn: app.sign_in,
      ...(app.enrolled !== undefined && { enrolled: app.enrolled }),
      ...(app.enterprise !== undefined && { enterprise: app.enterprise }),
      ...(app.consumer_key !== undefined && { consumerKey: app.consumer_key }),
      ...(app.consumer_secret !== undefined && { consumerSecret: app.consumer_secret }),
      ...(app.client_type !== undefined && { clientType: app.client_type }),
      ...(app.client_id !== undefined && { clientId: app.client_id }),
      ...(app.client_secret !== undefined && { clientSecret: app.client_secret }),
    },
    parts,
  )
  const grants = []
  for (const { user, access, ...given } of app.grants ?? []) {
    const userId = idOf(user)
    const pair = await createAccessToken(tx, { appId: keys.id, userId, access, ...given }, parts)
    grants.push({ userId, screenName: user, ...pair })
  }
  const userTokens = []
  for (const token of app.user_tokens ?? [])
    userTokens.push(await seedUserToken(tx, token, { appId: keys.id, userId: idOf(token.user) }, parts))
  return { ...keys, name: app.name, grants, userTokens }
}

const TOKEN_MS = 7_200_000

/** Gives an app of a seed OAuth 2.0 tokens of a user. */
async function seedUserToken(
  tx: Transaction,
  { user, scopes, access_token, refresh_token, expires_at }: SeedUserToken,
  access: { appId: string; userId: string },
  parts: IdentityDependencies,
): Promise<SeededUserToken> {
  const now = parts.clock.now()
  const expiresAt = instantOf(expires_at ?? '', now, now + MAX_TOKEN_MS) ?? now + TOKEN_MS
  const given = { accessToken: access_token, refreshToken: refresh_token }
  const granted = await grantUserToken(tx, { ...access, scopes, expiresAt, ...given }, parts)
  return { ...granted, userId: access.userId, screenName: user, scopes }
}

/**
 * The seed with a name, in a file or in an object, with the population that a setting requests.
 * @throws ConfigError
 */
function readSeed(which: string | object, population: number | undefined, now: number): Seed | undefined {
  if (which === 'none') return population ? { users: [], population } : undefined
  const seed = which === 'demo' ? readSeedFile(DEMO_FILE, now) : readGiven(which, now)
  return population === undefined ? seed : { ...seed, population }
}

function readGiven(which: string | object, now: number): Seed {
  try {
    return typeof which === 'string' ? readSeedFile(which, now) : readSeedObject(which, now)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}
