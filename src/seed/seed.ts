import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { APP_KINDS, PERMISSIONS } from '../identity/app.ts'
import { MADE_PASSWORD_LENGTH } from '../identity/password.ts'
import type { IdentityParts } from '../identity/people.ts'
import { createAccessToken, createApp, createUser, prepareUser } from '../identity/people.ts'
import { problemSentence } from '../kit/dialects/problem.ts'
import type { Violation } from '../kit/errors.ts'
import { randomText } from '../kit/random.ts'
import { compileBody } from '../kit/reader.ts'
import { choice, text } from '../kit/schema.ts'
import { neutralVocabulary } from '../kit/vocabulary.ts'
import type { Store, Transaction } from '../store/store.ts'
import { UniqueViolation } from '../store/store.ts'
import { openSeedAccount, SeedAccount } from './accounts.ts'
import { demo } from './demo.ts'
import type { Planted } from './planted.ts'
import { recallPlanted, recordPlanted } from './planted.ts'

const Grant = Type.Object(
  {
    user: text(1, 15, 'Screen name of the user who grants.'),
    access: choice([...PERMISSIONS], 'What the app may do for the user.'),
    token: Type.Optional(text(1, 200, 'Made when absent.')),
    secret: Type.Optional(text(1, 200, 'Made when absent.')),
  },
  { additionalProperties: false },
)

/** What a seed file holds. */
const Seed = Type.Object(
  {
    users: Type.Array(
      Type.Object(
        {
          screen_name: text(1, 15, 'Letters, digits and underscores.'),
          name: text(1, 50, 'Shown to people.'),
          password: Type.Optional(text(1, 256, 'Made when absent.')),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
    apps: Type.Array(
      Type.Object(
        {
          name: text(1, 50, 'Shown on the consent page.'),
          website: text(1, 200, 'Shown on the consent page.'),
          owner: text(1, 15, 'Screen name of the developer.'),
          callbacks: Type.Array(text(1, 2048, 'A callback URL.'), { maxItems: 10 }),
          permission: choice([...PERMISSIONS], 'What the app may ask for.'),
          kind: choice([...APP_KINDS], 'Desktop apps use a pin.'),
          sign_in: Type.Boolean({
            description: 'Whether a user who granted the app before is not asked again.',
          }),
          consumer_key: Type.Optional(text(1, 100, 'Made when absent.')),
          consumer_secret: Type.Optional(text(1, 200, 'Made when absent.')),
          grants: Type.Optional(Type.Array(Grant, { maxItems: 1000 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
    accounts: Type.Optional(Type.Array(SeedAccount, { maxItems: 1000 })),
  },
  { additionalProperties: false },
)

export type Seed = Static<typeof Seed>

/**
 * Plants a seed in an empty store, in one transaction. Undefined when the store was planted before
 * (by this node or another) or when there is nothing to plant.
 */
export async function plant(store: Store, which: string, parts: IdentityParts): Promise<Planted | undefined> {
  if (await recallPlanted(store, parts.sealer)) return undefined
  const seed = readSeed(which)
  if (!seed) return undefined
  const people = await Promise.all(
    seed.users.map(async (user) => {
      const password = user.password ?? randomText(parts.random, MADE_PASSWORD_LENGTH)
      return {
        password,
        row: await prepareUser({ screenName: user.screen_name, name: user.name, password }, parts),
      }
    }),
  )
  const idOf = (screenName: string) => {
    const person = people.find(({ row }) => row.screen_name_key === screenName.toLowerCase())
    if (!person) throw new Error(`the seed names the user "${screenName}" but does not make it`)
    return person.row.id
  }
  try {
    return await store.write(async (tx) => {
      for (const { row } of people) await createUser(tx, row)
      const apps: Planted['apps'] = []
      for (const app of seed.apps) apps.push(await plantApp(tx, app, idOf, parts))
      const accounts: Planted['accounts'] = []
      for (const account of seed.accounts ?? [])
        accounts.push(await openSeedAccount(tx, account, idOf, parts))
      const users = people.map(({ row, password }) => ({
        id: row.id,
        screenName: row.screen_name,
        name: row.name,
        password,
      }))
      const planted = { users, apps, accounts }
      await recordPlanted(tx, parts.sealer, planted)
      return planted
    })
  } catch (error) {
    // Another node planted the same store meanwhile.
    if (error instanceof UniqueViolation) return undefined
    throw error
  }
}

/** Registers an app of a seed, and grants it what the seed says. */
async function plantApp(
  tx: Transaction,
  app: Seed['apps'][number],
  idOf: (screenName: string) => string,
  parts: IdentityParts,
): Promise<Planted['apps'][number]> {
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
      ...(app.consumer_key !== undefined && { consumerKey: app.consumer_key }),
      ...(app.consumer_secret !== undefined && { consumerSecret: app.consumer_secret }),
    },
    parts,
  )
  const grants = []
  for (const { user, access, ...given } of app.grants ?? []) {
    const userId = idOf(user)
    const pair = await createAccessToken(tx, { appId: keys.id, userId, access, ...given }, parts)
    grants.push({ userId, screenName: user, ...pair })
  }
  return { ...keys, name: app.name, grants }
}

function readSeed(which: string): Seed | undefined {
  if (which === 'none') return undefined
  if (which === 'demo') return demo
  const violations: Violation[] = []
  const seed = compileBody(Seed, neutralVocabulary)(JSON.parse(readFileSync(which, 'utf8')), violations)
  if (violations.length > 0)
    throw new Error(`seed file ${which}: ${violations.map(problemSentence).join('; ')}`)
  return seed as Seed
}
