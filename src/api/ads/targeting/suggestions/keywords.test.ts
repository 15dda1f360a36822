import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newPerson } from '../../../../../test/support/ads-desk.ts'
import { bestWaitsBeside, MAX_WAIT_MS } from '../../../../../test/support/other-caller.ts'
import { startPlaza } from '../../../../../test/support/plaza.ts'
import { makePost } from '../../../../../test/support/posts.ts'
import { MAYBE, YES } from '../estimate/answers.ts'
import { audienceSize } from '../estimate/sample.ts'
import { finder } from '../estimate/words.ts'
import { suggestKeywords } from './keywords.ts'
import { suggestUsers } from './users.ts'

const POSTS = 10
const USERS = 12
/** The longest post of a subscriber. */
const LONG = 25_000

describe('suggestions from long posts', () => {
  let plaza: Awaited<ReturnType<typeof startPlaza>>
  let ids: string[]

  before(async () => {
    plaza = await startPlaza({ seedPopulation: 0 })
    ids = []
    for (let user = 0; user < USERS; user++) {
      const { id } = await newPerson(plaza)
      ids.push(id)
      for (let post = 0; post < POSTS; post++)
        await makePost(plaza.context, {
          authorId: id,
          text: `${post} ${'é word '.repeat(LONG / 7)}`.slice(0, LONG),
        })
    }
  })
  after(() => plaza?.close())

  const health = () => fetch(new URL('/health', plaza.urls.console)).then((reply) => reply.text())
  const keywords = Array.from({ length: 200 }, (_, at) => `keyword${at}`)
  const of = (name: string, work: () => Promise<unknown>) => {
    test(`${name} keep no other caller waiting`, async () => {
      const { turnMs } = await bestWaitsBeside(work, health)
      assert.ok(turnMs <= MAX_WAIT_MS, `${turnMs} ms`)
    })
  }

  of('suggested keywords', () => suggestKeywords(keywords, 'production', plaza.context))
  of('suggested users', () => suggestUsers(ids, 'production', plaza.context))
  of('estimates', () => {
    const finders = keywords.map((keyword) => finder(keyword, 'words'))
    return audienceSize(
      ({ words }) => (finders.some((find) => find(words)) ? YES : MAYBE),
      'production',
      plaza.context,
    )
  })
})
