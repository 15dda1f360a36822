import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { grantFeature } from '../../src/api/ads/accounts/queries.ts'
import { Desk, errorOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { heldMedium, padded, png, webp } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'

const [stage] = stages
const MAX_BYTES = 3 * 1024 * 1024
type Size = readonly [width: number, height: number]
const WIDE: Size = [1200, 628]
const BANNER: Size = [1000, 400]

const details = {
  type: 'DETAILS',
  title: 'Coffee',
  destination: { type: 'WEBSITE', url: 'https://example.com/' },
}
const POLL = { name: 'Poll', first_choice: 'East', second_choice: 'West', duration_in_minutes: '5' }
const CONVERSATION = {
  ...{ name: 'Talk', title: 'Talk', first_cta: '#a', first_cta_post: 'A', thank_you_text: 'Thanks' },
}

let opened: Opened
let client: Client
let ann: Desk

before(async () => {
  opened = await (stage as (typeof stages)[number]).open({ rateLimits: 'off' })
  client = new Client(opened.plaza)
  ann = await Desk.open(opened.plaza, client)
  const feature = { account_id: ann.accountId, feature_key: 'PROMOTED_MEDIA_POLLS' }
  await opened.plaza.context.store.write((tx) => tx.run(grantFeature, feature))
})
after(async () => {
  await client?.close()
  await opened?.close()
})

const hold = async (content: Buffer) =>
  (await heldMedium(opened.plaza.context, ann.advertiser, ann.person.id, content)).media_key

/** The places of images, and who is sent one there. */
const places = [
  {
    name: 'a card',
    size: WIDE,
    parameter: 'components[0].media_key',
    ask: (key: string) =>
      ann.json('POST', '/cards', {
        name: 'Card',
        components: [{ type: 'MEDIA', media_key: key }, details],
      }),
  },
  {
    name: 'a poll',
    size: WIDE,
    parameter: 'media_key',
    ask: (key: string) => ann.post('/cards/poll', { ...POLL, media_key: key }),
  },
  {
    name: 'a conversation',
    size: WIDE,
    parameter: 'media_key',
    ask: (key: string) => ann.post('/cards/image_conversation', { ...CONVERSATION, media_key: key }),
  },
  {
    name: 'what a conversation unlocks',
    size: BANNER,
    parameter: 'unlocked_image_media_key',
    ask: async (key: string) =>
      ann.post('/cards/image_conversation', {
        ...{ ...CONVERSATION, media_key: await hold(png(...WIDE)), unlocked_image_media_key: key },
      }),
  },
] as const

for (const { name, size, parameter, ask } of places)
  test(`an image of ${name} has up to 3 MB, and is not WebP`, async () => {
    const fitting = await ask(await hold(padded(png(...size), MAX_BYTES)))
    assert.ok(fitting.status < 300, fitting.text)
    const wrongImage = [400, `INVALID_IMAGE ${parameter}`]
    assert.deepEqual(errorOf(await ask(await hold(padded(png(...size), MAX_BYTES + 1)))), wrongImage)
    assert.deepEqual(errorOf(await ask(await hold(webp(...size)))), wrongImage)
  })
