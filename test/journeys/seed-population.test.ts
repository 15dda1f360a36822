import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { currentIdentities } from '../../src/app/cli/identities.ts'
import { pageOfUsers } from '../../src/identity/users/queries.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'
import { type Criterion, UNITED_STATES } from '../support/targeting.ts'

type Started = Awaited<ReturnType<typeof startPlaza>>
const POPULATION = { seedPopulation: 500, seedRandom: 'one' } satisfies Partial<Config>
const LOCATION = { targeting_type: 'LOCATION', targeting_value: UNITED_STATES }
const english = { targeting_type: 'LANGUAGE', targeting_value: 'en' }
const keyword = (targeting_value: string): Criterion => ({ targeting_type: 'BROAD_KEYWORD', targeting_value })
const words = ['games', 'music', 'books', 'news']

async function estimates(plaza: Started, environment: 'production' | 'sandbox', criteria: Criterion[][]) {
  const client = new Client(plaza)
  const account = plaza.seeded?.accounts.find((one) => one.environment === environment)
  const base = environment === 'sandbox' ? plaza.urls.adsSandbox : plaza.urls.ads
  try {
    const sizes = []
    for (const json of criteria) {
      const url = `${base}/12/accounts/${account?.id}/audience_estimate`
      const reply = await client.signed('POST', url, demoKeys(plaza), { json })
      assert.equal(reply.status, 200, reply.text)
      sizes.push((reply.json as { data: { audience_size: { min: number; max: number } } }).data.audience_size)
    }
    return sizes
  } finally {
    await client.close()
  }
}

const narrowToBroad = [
  [keyword('games'), LOCATION, english],
  [keyword('games'), LOCATION],
  [...words.map(keyword), LOCATION],
  words.map(keyword),
]

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  describe(`a synthetic population on ${stage.name}`, { skip: stage.skip }, () => {
    test('gives estimates that grow with the targeting, the same for the same seed', async () => {
      const sizesOf = async () => {
        const opened = await stage.open(POPULATION)
        try {
          const { plaza } = opened
          return [
            await estimates(plaza, 'production', narrowToBroad),
            await estimates(plaza, 'sandbox', narrowToBroad),
          ]
        } finally {
          await opened.close()
        }
      }
      const first = await sizesOf()
      for (const sizes of first) {
        for (const { min, max } of sizes) assert.ok(min < max && max < 500, JSON.stringify(sizes))
        for (const [at, { min, max }] of sizes.entries()) {
          const narrower = sizes[at - 1]
          if (narrower) assert.ok(narrower.min <= min && narrower.max <= max, JSON.stringify(sizes))
        }
        assert.ok((sizes[0]?.min ?? 0) < (sizes[3]?.min ?? 0))
      }
      assert.deepEqual(await sizesOf(), first)
    })
  })
}

test('a population changes no id, key or token of its seed, and its users are not listed', async () => {
  const without = await startPlaza({ seedRandom: 'one' })
  const plaza = await startPlaza(POPULATION)
  try {
    assert.deepEqual(plaza.seeded, without.seeded)
    const { context } = plaza
    const listed = await context.store.all(pageOfUsers, { after: '', limit: 10 })
    assert.deepEqual(
      listed.map(({ screen_name }) => screen_name),
      ['demo', 'advertiser'],
    )
    assert.deepEqual(await currentIdentities(context), await currentIdentities(without.context))
  } finally {
    await plaza.close()
    await without.close()
  }
})

test('without a seed there is the population alone', async () => {
  const plaza = await startPlaza({ seed: 'none', seedPopulation: 30 })
  try {
    assert.deepEqual(plaza.seeded, { users: [], apps: [], accounts: [] })
    assert.deepEqual(await plaza.context.store.all(pageOfUsers, { after: '', limit: 10 }), [])
  } finally {
    await plaza.close()
  }
})
