import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whereaboutsReader } from '../../../api/ads/targeting/estimate/whereabouts.ts'
import { languageOf } from '../../../domain/posts/language.ts'
import { passwordMatches } from '../../../identity/users/password.ts'
import { seededRandom } from '../../../platform/common/random.ts'
import { readEntities } from '../../../platform/text/entities.ts'
import { countries, languages } from './languages.ts'
import { peopleOf } from './population.ts'

const NOW = Date.UTC(2026, 0, 1)
const people = (size: number) => [...peopleOf({ size, now: NOW, random: seededRandom('test') })]

test('posts are words only, in the language that they are said to be in', async () => {
  for (const { code, plainPosts } of languages())
    for (const text of plainPosts) assert.equal(await languageOf(text.replace('{}', 'Gardening')), code, text)
  for (const { posts } of people(300))
    for (const { text } of posts)
      assert.deepEqual(readEntities(text), { hashtags: [], cashtags: [], mentions: [], urls: [] }, text)
})

test('estimates find every place of a profile in its country', async () => {
  const placesIn = await whereaboutsReader()
  for (const { name, towns } of countries()) {
    const [country] = placesIn(name)
    assert.equal(country?.type, 'COUNTRIES', name)
    for (const town of towns) {
      const found = placesIn(town)
      assert.ok(
        found.some(({ type }) => type === 'CITIES'),
        town,
      )
      assert.ok(
        found.every(({ countryCode }) => countryCode === country?.countryCode),
        town,
      )
    }
  }
})

test('ids differ, times are in the past and no one posts before joining', () => {
  const all = people(2000)
  const ids = all.flatMap(({ user, posts }) => [user.id, ...posts.map(({ id }) => id)])
  assert.equal(new Set(ids).size, ids.length)
  for (const { user, posts } of all)
    for (const post of posts) {
      assert.ok(user.created_at < post.created_at && post.created_at < NOW)
      assert.ok(BigInt(user.id) < BigInt(post.id))
    }
})

test('no password is that of a synthetic user', async () => {
  for (const { user } of people(2))
    for (const password of ['', user.password_hash, user.screen_name])
      assert.equal(await passwordMatches(password, user.password_hash), false)
})

test('a few post much, most post little, some never', () => {
  const counts = people(2000).map(({ user }) => user.post_count)
  const share = (is: (count: number) => boolean) => counts.filter(is).length / counts.length
  assert.ok(share((count) => count === 0) > 0.1)
  assert.ok(share((count) => count > 0 && count < 4) > 0.5)
  const many = share((count) => count >= 8)
  assert.ok(many > 0.01 && many < 0.15, String(many))
})
