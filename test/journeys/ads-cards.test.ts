import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantFeature } from '../../src/api/ads/accounts/queries.ts'
import type { MediaCategory } from '../../src/domain/media/media.ts'
import { cursorOf, type Data, Desk, dataOf, errorOf, listOf, paramsOf, totalOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { gif, heldMedium, mp4, png, uploaded } from '../support/media.ts'
import { type Opened, stages } from '../support/stages.ts'
import { until } from '../support/until.ts'

const MINUTE_MS = 60_000
const WEBSITE = { type: 'WEBSITE', url: 'https://example.com' }
const APP = { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.android' }
const LABEL = { type: 'ENUM', value: 'INSTALL' }
const DETAILS = { type: 'DETAILS', title: 'A title', destination: WEBSITE }
const BUTTON = { type: 'BUTTON', label: LABEL, destination: APP }

const media = (key: string) => ({ type: 'MEDIA', media_key: key })
const swipe = (...keys: string[]) => ({ type: 'SWIPEABLE_MEDIA', media_keys: keys })
const names = (cards: readonly Data[]) => cards.map(({ name }) => name)

for (const stage of stages) {
  describe(`cards on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let image: string
    let video: string
    const context = () => opened.plaza.context

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test advertises for itself. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
      image = await hold(png(1200, 628))
      video = await hold(mp4(1280, 720))
    })

    const hold = async (content: Buffer, category?: MediaCategory) =>
      (await heldMedium(context(), ann.advertiser, ann.person.id, content, category)).media_key
    /**
     * Waits until the video has its poster, which is made in the background and shown as null until
     * then.
     */
    const framed = () =>
      until('the poster of the video', async () => {
        await opened.plaza.tasks.runDue('process medium')
        return dataOf(await ann.get(`/media_library/${video}`)).poster_media_url !== null
      })
    const send = (body: unknown, method = 'POST', path = '') => ann.json(method, `/cards${path}`, body)
    const made = async (body: object = {}) => {
      const reply = await send({ name: 'A card', components: [media(image), DETAILS], ...body })
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }

    describe('made of components', () => {
      test('a card is shown as it was sent', async () => {
        const components = [media(image), BUTTON]
        const reply = await send({ name: 'A card', components })
        assert.equal(reply.status, 201, reply.text)
        const { id, ...data } = dataOf(reply)
        assert.match(id, /^[0-9]{19}$/)
        assert.deepEqual(data, {
          name: 'A card',
          components,
          card_uri: `card://${id}`,
          card_type: 'IMAGE_APP',
          created_at: '2026-03-01T12:00:00Z',
          updated_at: '2026-03-01T12:00:00Z',
          deleted: false,
        })
        assert.deepEqual(paramsOf(reply), { account_id: ann.accountId })
        const got = await ann.get(`/cards/${id}`)
        assert.deepEqual(dataOf(got), { id, ...data })
        assert.deepEqual(paramsOf(got), { account_id: ann.accountId, card_id: id })
      })
      test('members that a component does not have, such as metadata of its media, are ignored', async () => {
        const described = { ...media(image), media_metadata: { [image]: { type: 'IMAGE', width: 800 } } }
        const reply = await send({ name: 'A card', components: [described, DETAILS] })
        assert.equal(reply.status, 201, reply.text)
        assert.deepEqual(dataOf(reply).components, [media(image), DETAILS])
      })

      test('the type follows from its media and where it leads to', async () => {
        const slide = (key: string) => [media(key), DETAILS]
        const bodies: [string, object][] = [
          ['IMAGE_WEBSITE', { components: [media(image), DETAILS] }],
          ['VIDEO_WEBSITE', { components: [media(video), DETAILS] }],
          ['IMAGE_APP', { components: [BUTTON, media(image)] }],
          ['VIDEO_APP', { components: [media(video), BUTTON] }],
          ['IMAGE_CAROUSEL_WEBSITE', { components: [swipe(image, image), DETAILS] }],
          ['VIDEO_CAROUSEL_WEBSITE', { components: [swipe(video, video), DETAILS] }],
          ['MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE', { components: [swipe(image, video), DETAILS] }],
          ['IMAGE_CAROUSEL_APP', { components: [swipe(image, image), BUTTON] }],
          ['VIDEO_CAROUSEL_APP', { components: [swipe(video, video), BUTTON] }],
          ['MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP', { components: [swipe(video, image), BUTTON] }],
          ['IMAGE_MULTI_DEST_CAROUSEL_WEBSITE', { slides: [slide(image), slide(image)] }],
          ['VIDEO_MULTI_DEST_CAROUSEL_WEBSITE', { slides: [slide(video), slide(video)] }],
          ['MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE', { slides: [slide(image), slide(video)] }],
        ]
        for (const [type, body] of bodies) {
          const reply = await send({ name: type, ...body })
          assert.equal(reply.status, 201, reply.text)
          const data = dataOf(reply)
          assert.deepEqual(
            [data.card_type, { components: data.components, slides: data.slides }],
            [type, { components: undefined, slides: undefined, ...body }],
          )
          assert.deepEqual(listOf(await ann.get(`/cards?card_types=${type}`)), [data])
        }
      })

      const rules: [string, (keys: { image: string; video: string }) => object, (number | string)[]][] = [
        ['no name', () => ({ name: undefined }), [400, 'MISSING_PARAMETER name']],
        ['a long name', () => ({ name: 'x'.repeat(81) }), [400, 'INVALID_PARAMETER name']],
        [
          'no components',
          () => ({ components: [] }),
          [400, 'INVALID_CARD_COMPONENTS_COMBINATION components'],
        ],
        ['neither part', () => ({ components: undefined }), [400, 'MISSING_PARAMETER components']],
        [
          'both parts',
          ({ image: key }) => ({
            slides: [
              [media(key), DETAILS],
              [media(key), DETAILS],
            ],
          }),
          [400, 'EXCLUSIVE_PARAMETERS slides'],
        ],
        ['parts that are none', () => ({ components: 'MEDIA' }), [400, 'INVALID_PARAMETER components']],
      ]
      for (const [what, body, error] of rules) {
        test(`${what} makes no card`, async () => {
          const reply = await send({
            name: 'A card',
            components: [media(image), DETAILS],
            ...body({ image, video }),
          })
          assert.deepEqual(errorOf(reply), error, reply.text)
          assert.deepEqual(listOf(await ann.get('/cards')), [])
        })
      }

      const COMBINATION = 'INVALID_CARD_COMPONENTS_COMBINATION'
      const wrong: [string, (keys: { image: string; video: string }) => unknown[], (number | string)[]][] = [
        ['only a medium', (k) => [media(k.image)], [400, `${COMBINATION} components`]],
        ['no medium', () => [DETAILS], [400, `${COMBINATION} components`]],
        ['two media', (k) => [media(k.image), media(k.video), DETAILS], [400, `${COMBINATION} components`]],
        ['two ends', (k) => [media(k.image), DETAILS, BUTTON], [400, `${COMBINATION} components`]],
        [
          'a button to a website',
          (k) => [media(k.image), { ...BUTTON, destination: WEBSITE }],
          [400, `${COMBINATION} components[1].destination`],
        ],
        [
          'details of an app',
          (k) => [media(k.image), { ...DETAILS, destination: APP }],
          [400, `${COMBINATION} components[1].destination`],
        ],
        [
          'an unknown type',
          (k) => [media(k.image), { type: 'TEXT' }],
          [400, 'INVALID_PARAMETER components[1].type'],
        ],
        ['no type', (k) => [media(k.image), {}], [400, 'MISSING_PARAMETER components[1].type']],
        [
          'one that swipes',
          (k) => [swipe(k.image), DETAILS],
          [400, 'INVALID_PARAMETER components[0].media_keys'],
        ],
        [
          'seven that swipe',
          (k) => [swipe(...Array.from({ length: 7 }, () => k.image)), DETAILS],
          [400, 'INVALID_PARAMETER components[0].media_keys'],
        ],
        [
          'media without a key',
          () => [{ type: 'MEDIA' }, DETAILS],
          [400, 'MISSING_PARAMETER components[0].media_key'],
        ],
        [
          'media with a title',
          (k) => [{ ...media(k.image), title: 'a' }, DETAILS],
          [400, 'INVALID_PARAMETER components[0].title'],
        ],
        [
          'details without anything',
          (k) => [media(k.image), { type: 'DETAILS' }],
          [400, 'MISSING_PARAMETER components[1].title', 'MISSING_PARAMETER components[1].destination'],
        ],
        [
          'details with a label',
          (k) => [media(k.image), { ...DETAILS, label: LABEL }],
          [400, 'INVALID_PARAMETER components[1].label'],
        ],
        [
          'a website without an address',
          (k) => [media(k.image), { ...DETAILS, destination: { type: 'WEBSITE' } }],
          [400, 'MISSING_PARAMETER components[1].destination.url'],
        ],
        [
          'a website that is none',
          (k) => [media(k.image), { ...DETAILS, destination: { ...WEBSITE, url: 'ftp://example.com' } }],
          [400, 'INVALID_PARAMETER components[1].destination.url'],
        ],
        [
          'a website of a country',
          (k) => [media(k.image), { ...DETAILS, destination: { ...WEBSITE, country_code: 'US' } }],
          [400, 'INVALID_PARAMETER components[1].destination.country_code'],
        ],
        [
          'a button without a label',
          (k) => [media(k.image), { ...BUTTON, label: undefined }],
          [400, 'MISSING_PARAMETER components[1].label'],
        ],
        [
          'a label that is none',
          (k) => [media(k.image), { ...BUTTON, label: { type: 'ENUM', value: 'GO' } }],
          [400, 'INVALID_PARAMETER components[1].label.value'],
        ],
        [
          'an app of no country and no store',
          (k) => [media(k.image), { ...BUTTON, destination: { type: 'APP' } }],
          [
            400,
            'MISSING_PARAMETER components[1].destination.country_code',
            'MISSING_PARAMETER components[1].destination.googleplay_app_id',
          ],
        ],
        [
          'an app of a country that is none',
          (k) => [media(k.image), { ...BUTTON, destination: { ...APP, country_code: 'us' } }],
          [400, 'INVALID_PARAMETER components[1].destination.country_code'],
        ],
        [
          'a link into an app that is not named',
          (k) => [media(k.image), { ...BUTTON, destination: { ...APP, ios_deep_link: 'app://a' } }],
          [400, 'INCLUSIVE_PARAMETERS components[1].destination.ios_deep_link'],
        ],
        [
          'an unknown medium',
          () => [media('3_1'), DETAILS],
          [404, 'MEDIA_NOT_FOUND components[0].media_key'],
        ],
      ]
      for (const [what, components, error] of wrong) {
        test(`${what} makes no card`, async () => {
          const reply = await send({ name: 'A card', components: components({ image, video }) })
          assert.deepEqual(errorOf(reply), error, reply.text)
        })
      }

      test('an app has one store or both, with a link into each', async () => {
        for (const destination of [
          { ...APP, googleplay_deep_link: 'app://a' },
          {
            type: 'APP',
            country_code: 'DE',
            ios_app_store_identifier: '333903271',
            ios_deep_link: 'app://a',
          },
          { ...APP, ios_app_store_identifier: '333903271' },
        ])
          await made({ components: [media(image), { ...BUTTON, destination }] })
      })
      test('a slide has a medium and details, a carousel two to six slides', async () => {
        const slide = [media(image), DETAILS]
        const carousel = (slides: unknown[]) => send({ name: 'A card', slides })
        assert.equal((await carousel(Array.from({ length: 6 }, () => slide))).status, 201)
        for (const [slides, error] of [
          [[slide], [400, 'INVALID_PARAMETER slides']],
          [Array.from({ length: 7 }, () => slide), [400, 'INVALID_PARAMETER slides']],
          [
            [slide, [media(image), BUTTON]],
            [400, `${COMBINATION} slides[1]`],
          ],
          [
            [slide, [swipe(image, image), DETAILS]],
            [400, `${COMBINATION} slides[1]`],
          ],
          [
            [slide, [media('3_1'), DETAILS]],
            [404, 'MEDIA_NOT_FOUND slides[1][0].media_key'],
          ],
        ] as const)
          assert.deepEqual(errorOf(await carousel(slides as never)), error)
      })
      test('its media are of the library, and of the form of a card', async () => {
        const key = (await uploaded(context(), ann.person.id, png(1200, 628))).media_key
        for (const [medium, error] of [
          [key, [404, 'MEDIA_NOT_FOUND components[0].media_key']],
          [await hold(gif(800, 800)), [400, 'INVALID_MEDIA components[0].media_key']],
          [await hold(png(799, 799)), [400, 'INVALID_IMAGE components[0].media_key']],
          [await hold(png(1000, 800)), [400, 'INVALID_IMAGE components[0].media_key']],
          [await hold(mp4(1000, 800)), [400, 'INVALID_MEDIA components[0].media_key']],
          [
            await hold(mp4(1280, 720, { ms: 600_001 }), 'AMPLIFY_VIDEO'),
            [400, 'INVALID_MEDIA components[0].media_key'],
          ],
        ] as const) {
          const reply = await send({ name: 'A card', components: [media(medium), DETAILS] })
          assert.deepEqual(errorOf(reply), error, reply.text)
        }
        await made({ components: [media(await hold(png(800, 800))), DETAILS] })
        await made({ components: [media(await hold(mp4(640, 640))), DETAILS] })
      })

      test('a change replaces what it names, whole', async () => {
        const { id, components, created_at } = await made()
        opened.plaza.clock.advance(1000)
        const renamed = dataOf(await send({ name: 'B card' }, 'PUT', `/${id}`))
        assert.deepEqual([renamed.name, renamed.components], ['B card', components])
        assert.notEqual(renamed.updated_at, created_at)
        const other = dataOf(await send({ components: [media(video), BUTTON] }, 'PUT', `/${id}`))
        assert.deepEqual([other.name, other.card_type], ['B card', 'VIDEO_APP'])
        const slides = [
          [media(image), DETAILS],
          [media(image), DETAILS],
        ]
        const carousel = dataOf(await send({ slides }, 'PUT', `/${id}`))
        assert.deepEqual([carousel.components, carousel.slides], [undefined, slides])
        const same = dataOf(await send({}, 'PUT', `/${id}`))
        assert.deepEqual(same, carousel)
        assert.deepEqual(dataOf(await ann.get(`/cards/${id}`)), carousel)
      })
      test('a change that is wrong changes nothing', async () => {
        const card = await made()
        const reply = await send({ name: 'B card', components: [DETAILS] }, 'PUT', `/${card.id}`)
        assert.deepEqual(errorOf(reply), [400, `${COMBINATION} components`])
        assert.deepEqual(dataOf(await ann.get(`/cards/${card.id}`)), card)
      })
      test('a deleted one is shown to who asks, and changes no more', async () => {
        const { id } = await made()
        const gone = dataOf(await ann.delete(`/cards/${id}`))
        assert.equal(gone.deleted, true)
        const missing = [404, 'CARD_NOT_FOUND card_id']
        assert.deepEqual(errorOf(await ann.get(`/cards/${id}`)), missing)
        assert.deepEqual(errorOf(await ann.delete(`/cards/${id}`)), missing)
        assert.deepEqual(errorOf(await send({ name: 'x' }, 'PUT', `/${id}`)), missing)
        assert.deepEqual(dataOf(await ann.get(`/cards/${id}?with_deleted=true`)), gone)
        assert.deepEqual(listOf(await ann.get('/cards')), [])
        assert.deepEqual(listOf(await ann.get('/cards?with_deleted=true')), [gone])
      })
      test('the former path deletes a card of its kind', async () => {
        const { id } = await made()
        assert.deepEqual(errorOf(await ann.delete(`/cards/video_website/${id}`)), [
          404,
          'CARD_NOT_FOUND card_id',
        ])
        assert.deepEqual(errorOf(await ann.delete(`/cards/gadget/${id}`)), [404, 'ROUTE_NOT_FOUND undefined'])
        // There are no cards for direct messages to delete.
        for (const kind of ['image_direct_message', 'video_direct_message'])
          assert.deepEqual(errorOf(await ann.delete(`/cards/${kind}/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
        assert.equal(dataOf(await ann.delete(`/cards/website/${id}`)).deleted, true)
      })
      test('accounts see their own', async () => {
        const { id } = await made()
        const bob = await Desk.open(opened.plaza, client, { person: ann.person })
        assert.deepEqual(errorOf(await bob.get(`/cards/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
        assert.deepEqual(errorOf(await bob.delete(`/cards/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
        assert.deepEqual(listOf(await bob.get('/cards')), [])
      })
      test('lists are narrowed, searched and sorted', async () => {
        const cards = []
        for (const name of ['beta', 'Alpha', 'alpine', 'gamma']) cards.push(await made({ name }))
        const [beta, alpha] = cards as [Data, Data]
        const found = async (query: string) => names(listOf(await ann.get(`/cards?${query}`)))
        assert.deepEqual(await found(''), ['beta', 'Alpha', 'alpine', 'gamma'])
        assert.deepEqual(await found(`card_id=${alpha.id},${beta.id},1`), ['beta', 'Alpha'])
        assert.deepEqual(await found(`card_ids=${alpha.id}`), ['Alpha'])
        assert.deepEqual(await found(`card_uris=${encodeURIComponent(`${beta.card_uri},card://1`)}`), [
          'beta',
        ])
        assert.deepEqual(
          await found(`card_id=${alpha.id}&card_uris=${encodeURIComponent(String(beta.card_uri))}`),
          [],
        )
        assert.deepEqual(await found('q=ALP'), ['Alpha', 'alpine'])
        assert.deepEqual(await found('sort_by=name-desc'), ['gamma', 'beta', 'alpine', 'Alpha'])
        assert.deepEqual(await found('card_types=VIDEO_APP'), [])
        assert.deepEqual(errorOf(await ann.get('/cards?card_types=VIDEO_APP,NOPE')), [
          400,
          'UNKNOWN_CARD_TYPE card_types',
        ])
        assert.deepEqual(await found('include_legacy_cards=true&count=1'), ['beta'])
        assert.deepEqual(errorOf(await ann.get('/cards?count=201')), [400, 'INVALID_PARAMETER count'])
        assert.deepEqual(errorOf(await ann.get(`/cards?q=${'x'.repeat(81)}`)), [400, 'INVALID_PARAMETER q'])
      })
      test('an accented letter is found however it is written', async () => {
        await made({ name: 'Cafe\u0301' })
        await made({ name: 'CAF\u00c9 bar' })
        for (const word of ['caf\u00e9', 'CAFE\u0301']) {
          const found = listOf(await ann.get(`/cards?q=${encodeURIComponent(word)}`))
          assert.deepEqual(names(found), ['Cafe\u0301', 'CAF\u00c9 bar'])
        }
      })
      test('lists come a page at a time, in every order', async () => {
        for (const name of ['c', 'a', 'b']) await made({ name })
        for (const [query, order] of [
          ['', ['c', 'a', 'b']],
          ['&sort_by=name-asc', ['a', 'b', 'c']],
          ['&sort_by=created_at-desc', ['b', 'a', 'c']],
        ] as const) {
          const first = await ann.get(`/cards?count=2${query}`)
          const second = await ann.get(`/cards?count=2${query}&cursor=${cursorOf(first)}`)
          assert.deepEqual([...names(listOf(first)), ...names(listOf(second))], order)
          assert.equal(cursorOf(second), null)
        }
      })
      test('posts show it by its address', async () => {
        const { card_uri, id } = await made()
        const write = (uri: string) =>
          ann.post('/post', { as_user_id: ann.person.id, text: 'a', card_uri: uri })
        const reply = await write(String(card_uri))
        assert.equal(reply.status, 201, reply.text)
        assert.equal(dataOf(reply).card_uri, card_uri)
        const bob = await Desk.open(opened.plaza, client)
        const stranger = { as_user_id: bob.person.id, text: 'a', card_uri: String(card_uri) }
        const missing = [404, 'CARD_NOT_FOUND card_uri']
        assert.deepEqual(errorOf(await bob.post('/post', stranger)), missing)
        assert.deepEqual(errorOf(await write('card://1')), missing)
        await ann.delete(`/cards/${id}`)
        assert.deepEqual(errorOf(await write(String(card_uri))), missing)
      })
    })

    describe('polls', () => {
      const form = {
        name: 'best coast poll',
        first_choice: 'East',
        second_choice: 'West',
        duration_in_minutes: '10080',
      }
      const ask = (more: Record<string, string> = {}) => ann.post('/cards/poll', { ...form, ...more })
      const allow = () =>
        context().store.write((tx) =>
          tx.run(grantFeature, { account_id: ann.accountId, feature_key: 'PROMOTED_MEDIA_POLLS' }),
        )

      test('a poll begins when it is made', async () => {
        const reply = await ask()
        assert.equal(reply.status, 201, reply.text)
        const { id, card_uri, start_time, created_at, ...data } = dataOf(reply)
        assert.match(String(card_uri), /^card:\/\/[0-9]{19}$/)
        assert.equal(start_time, created_at)
        const end = Date.parse(String(start_time)) + 10_080 * MINUTE_MS
        assert.deepEqual(data, {
          name: 'best coast poll',
          first_choice: 'East',
          second_choice: 'West',
          end_time: new Date(end).toISOString().replace('.000', ''),
          duration_in_minutes: '10080',
          card_type: 'TEXT_POLLS',
          updated_at: created_at,
          deleted: false,
        })
        const got = await ann.get(`/cards/poll/${id}`)
        assert.deepEqual(dataOf(got), dataOf(reply))
        assert.deepEqual(paramsOf(got), { account_id: ann.accountId, card_id: id, card_type: 'poll' })
        const post = await ann.post('/post', {
          as_user_id: ann.person.id,
          text: 'a',
          card_uri: String(card_uri),
        })
        assert.equal(post.status, 201, post.text)
      })
      test('it lasts from five minutes to a week', async () => {
        for (const [minutes, status] of [
          ['5', 201],
          ['4', 400],
          ['10081', 400],
        ] as const)
          assert.equal((await ask({ duration_in_minutes: minutes })).status, status)
      })
      test('choices come one after the other, of up to 25 characters', async () => {
        const four = dataOf(await ask({ third_choice: 'North', fourth_choice: 'x'.repeat(25) }))
        assert.deepEqual([four.third_choice, four.fourth_choice], ['North', 'x'.repeat(25)])
        assert.deepEqual(errorOf(await ask({ fourth_choice: 'South' })), [
          400,
          'INCLUSIVE_PARAMETERS third_choice',
        ])
        assert.deepEqual(errorOf(await ask({ third_choice: 'x'.repeat(26) })), [
          400,
          'INVALID_PARAMETER third_choice',
        ])
      })
      test('media need the feature', async () => {
        assert.deepEqual(errorOf(await ask({ media_key: image })), [400, 'FEATURE_NOT_AVAILABLE media_key'])
        await allow()
        const data = dataOf(await ask({ media_key: image }))
        assert.deepEqual(
          [data.card_type, data.image_display_width, data.image_display_height, data.media_key],
          ['IMAGE_POLLS', '1200', '628', undefined],
        )
        assert.equal((await client.send('GET', String(data.image))).status, 200)
      })
      test('a video is shown with its ratio and length, as text', async () => {
        await allow()
        await framed()
        const data = dataOf(await ask({ media_key: video }))
        const shown = Object.fromEntries(
          Object.entries(data).filter(
            ([name]) => /^(video|content|card_type)/.test(name) && !/url$/.test(name),
          ),
        )
        assert.deepEqual(shown, {
          card_type: 'VIDEO_POLLS',
          video_width: '16',
          video_height: '9',
          video_poster_width: '16',
          video_poster_height: '9',
          content_duration_seconds: '8',
        })
        for (const url of [data.video_url, data.video_hls_url, data.video_poster_url])
          assert.equal((await client.send('GET', String(url))).status, 200)
      })
      test('the poster of a video is null until it is made', async () => {
        await allow()
        const pending = dataOf(await ask({ media_key: video }))
        const posters = {
          video_poster_url: null,
          video_poster_width: null,
          video_poster_height: null,
        }
        const postersOf = ({ video_poster_url, video_poster_width, video_poster_height }: Data) => ({
          video_poster_url,
          video_poster_width,
          video_poster_height,
        })
        assert.deepEqual(postersOf(pending), posters)
        assert.deepEqual(postersOf(dataOf(await ann.get(`/cards/all/${pending.id}`))), posters)
        const talk = await ann.post('/cards/video_conversation', {
          name: 'A conversation',
          title: 'Developers',
          first_cta: '#APIs',
          first_cta_post: 'Ads API',
          thank_you_text: 'Build it',
          media_key: video,
        })
        assert.equal(dataOf(talk).poster_media_url, null, talk.text)
        const text = dataOf(await ask({}))
        assert.equal(Object.hasOwn(text, 'video_poster_url'), false)
      })
      test('a medium is also shown by single reads and lists', async () => {
        await allow()
        await framed()
        for (const key of [image, video]) {
          const made = dataOf(await ask({ media_key: key }))
          assert.deepEqual(dataOf(await ann.get(`/cards/poll/${made.id}`)), made)
          assert.deepEqual(listOf(await ann.get(`/cards/poll?card_ids=${made.id}`)), [made])
          assert.deepEqual(dataOf(await ann.get(`/cards/all/${made.id}`)), made)
        }
      })
      test('media are wide, large, and of the library', async () => {
        await allow()
        for (const [key, error] of [
          ['3_1', [404, 'MEDIA_NOT_FOUND media_key']],
          [await hold(png(800, 800)), [400, 'INVALID_IMAGE media_key']],
          [await hold(png(799, 418)), [400, 'INVALID_IMAGE media_key']],
          [await hold(mp4(640, 640)), [400, 'INVALID_MEDIA media_key']],
          [await hold(gif(800, 419)), [400, 'INVALID_MEDIA media_key']],
        ] as const)
          assert.deepEqual(errorOf(await ask({ media_key: key })), error)
        assert.equal((await ask({ media_key: await hold(png(800, 419)) })).status, 201)
      })
      test('it cannot be changed, and is shown to who asks once it is deleted', async () => {
        const poll = dataOf(await ask())
        const path = `/cards/poll/${poll.id}`
        assert.equal((await ann.put(path, { name: 'x' })).status, 405)
        const gone = dataOf(await ann.delete(path))
        assert.deepEqual(gone, { ...poll, deleted: true })
        assert.deepEqual(errorOf(await ann.get(path)), [404, 'CARD_NOT_FOUND card_id'])
        assert.deepEqual(listOf(await ann.get('/cards/poll?with_deleted=true')), [gone])
        const uri = String(poll.card_uri)
        const post = await ann.post('/post', { as_user_id: ann.person.id, text: 'a', card_uri: uri })
        assert.deepEqual(errorOf(post), [404, 'CARD_NOT_FOUND card_uri'])
      })
      test('lists are of polls only', async () => {
        await made({ name: 'no poll' })
        const [one] = [dataOf(await ask({ name: 'Beta' })), dataOf(await ask({ name: 'alpha' }))]
        const reply = await ann.get('/cards/poll?with_total_count=true&sort_by=name-asc')
        assert.deepEqual([names(listOf(reply)), totalOf(reply)], [['alpha', 'Beta'], 2])
        assert.deepEqual(names(listOf(await ann.get(`/cards/poll?card_ids=${one.id}`))), ['Beta'])
        assert.deepEqual(names(listOf(await ann.get('/cards/poll?q=AL'))), ['alpha'])
        assert.deepEqual(errorOf(await ann.get(`/cards/poll?q=${'x'.repeat(81)}`)), [
          400,
          'INVALID_PARAMETER q',
        ])
        assert.deepEqual(names(listOf(await ann.get('/cards'))), ['no poll'])
      })
    })

    describe('of every kind', () => {
      const all = (uris: readonly unknown[], more = '') =>
        ann.get(`/cards/all?card_uris=${encodeURIComponent(uris.join())}${more}`)
      const one = async (id: string) => dataOf(await ann.get(`/cards/all/${id}`))
      const common = ({ id, name, card_uri, created_at, updated_at, deleted }: Data) => ({
        id,
        name,
        card_uri,
        created_at,
        updated_at,
        deleted,
      })
      const poll = async () =>
        dataOf(
          await ann.post('/cards/poll', {
            name: 'A poll',
            first_choice: 'East',
            second_choice: 'West',
            duration_in_minutes: '60',
          }),
        )
      const conversation = async () =>
        dataOf(
          await ann.post('/cards/image_conversation', {
            name: 'A conversation',
            title: 'Developers',
            first_cta: '#APIs',
            first_cta_post: 'Ads API',
            thank_you_text: 'Build it',
            media_key: image,
          }),
        )

      test('a website with a video is flat', async () => {
        await framed()
        const url = 'https://www.example.com/a/long/way/to/the/page'
        const destination = { type: 'WEBSITE', url }
        const card = await made({ components: [media(video), { ...DETAILS, destination }] })
        const { video_url, video_hls_url, video_poster_url, ...rest } = await one(card.id)
        assert.deepEqual(rest, {
          ...common(card),
          card_type: 'VIDEO_WEBSITE',
          video_poster_height: '9',
          video_poster_width: '16',
          video_height: '9',
          video_width: '16',
          content_duration_seconds: '8',
          video_owner_id: ann.person.id,
          video_content_id: video.slice(video.indexOf('_') + 1),
          title: 'A title',
          website_url: url,
          website_dest_url: url,
          website_display_url: 'example.com/a/long/way/to/t…',
          website_shortened_url: url,
        })
        for (const address of [video_url, video_hls_url, video_poster_url])
          assert.equal((await client.send('GET', String(address))).status, 200)
      })
      test('an app with an image is flat', async () => {
        const card = await made({ components: [BUTTON, media(image)] })
        const { wide_app_image, ...rest } = await one(card.id)
        assert.deepEqual(rest, {
          ...common(card),
          card_type: 'IMAGE_APP_DOWNLOAD',
          image_display_height: '628',
          image_display_width: '1200',
          app_cta: 'INSTALL',
          country_code: 'US',
          googleplay_app_id: 'com.example.android',
        })
        assert.equal((await client.send('GET', String(wide_app_image))).status, 200)
      })
      test('the other two with one medium are like them', async () => {
        const website = await one((await made()).id)
        assert.deepEqual(
          [website.card_type, website.title, website.website_url, website.image_display_width],
          ['WEBSITE', 'A title', 'https://example.com', '1200'],
        )
        assert.match(String(website.image), /png$/)
        const app = await one((await made({ components: [media(video), BUTTON] })).id)
        assert.deepEqual(
          [app.card_type, app.app_cta, app.video_width, app.website_url],
          ['VIDEO_APP_DOWNLOAD', 'INSTALL', '16', undefined],
        )
      })
      test('a carousel keeps its components', async () => {
        const swiping = await made({ components: [swipe(image, video), DETAILS] })
        assert.deepEqual(await one(swiping.id), swiping)
        const slide = [media(image), DETAILS]
        const sliding = await made({ components: undefined, slides: [slide, slide] })
        assert.deepEqual(await one(sliding.id), sliding)
      })
      test('polls and conversations are as they are elsewhere', async () => {
        for (const card of [await poll(), await conversation()]) assert.deepEqual(await one(card.id), card)
      })
      test('they are found by their addresses, in the order in which they are asked for', async () => {
        const cards = [await conversation(), await made(), await poll()]
        const uris = cards.map(({ card_uri }) => card_uri)
        const reply = await all([...uris, 'card://1'])
        assert.deepEqual(names(listOf(reply)), names(cards))
        assert.equal('next_cursor' in (reply.json as object), false)
        assert.deepEqual(names(listOf(await all(uris.toReversed()))), names(cards.toReversed()))
        assert.deepEqual(errorOf(await ann.get('/cards/all')), [400, 'MISSING_PARAMETER card_uris'])
        const many = Array.from({ length: 201 }, (_, index) => `card://${index}`)
        assert.deepEqual(errorOf(await all(many)), [400, 'INVALID_PARAMETER card_uris'])
      })
      test('deleted ones are returned on request, those of other accounts never', async () => {
        const [card, vote] = [await made(), await poll()]
        const uris = [card.card_uri, vote.card_uri]
        const bob = await Desk.open(opened.plaza, client, { person: ann.person })
        const query = `/cards/all?card_uris=${encodeURIComponent(uris.join())}`
        assert.deepEqual(listOf(await bob.get(query)), [])
        assert.deepEqual(errorOf(await bob.get(`/cards/all/${card.id}`)), [404, 'CARD_NOT_FOUND card_id'])
        await ann.delete(`/cards/${card.id}`)
        await ann.delete(`/cards/poll/${vote.id}`)
        assert.deepEqual(listOf(await all(uris)), [])
        for (const { id } of [card, vote]) {
          assert.deepEqual(errorOf(await ann.get(`/cards/all/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
          assert.equal(dataOf(await ann.get(`/cards/all/${id}?with_deleted=true`)).deleted, true)
        }
        const gone = listOf(await all(uris, '&with_deleted=true'))
        assert.deepEqual(
          gone.map(({ id, deleted }) => [id, deleted]),
          [
            [card.id, true],
            [vote.id, true],
          ],
        )
      })
    })

    for (const kind of ['video', 'image'] as const) {
      describe(`conversations about an ${kind}`, () => {
        const PATH = `/cards/${kind}_conversation`
        const form = () => ({
          name: 'conversation',
          title: 'Developers',
          first_cta: '#APIs',
          first_cta_post: 'Ads API',
          thank_you_text: 'Build it',
          media_key: kind === 'video' ? video : image,
        })
        const ask = (more: Record<string, string> = {}) => ann.post(PATH, { ...form(), ...more })
        const without = (...left: string[]) =>
          ann.post(PATH, Object.fromEntries(Object.entries(form()).filter(([name]) => !left.includes(name))))

        test('one is shown with its medium', async () => {
          await framed()
          const reply = await ask()
          assert.equal(reply.status, 201, reply.text)
          assert.equal(paramsOf(reply).card_type, `${kind}_conversation`)
          const { id, media_url, poster_media_url, card_uri, ...data } = dataOf(reply)
          assert.deepEqual(data, {
            ...form(),
            card_type: kind === 'video' ? 'VIDEO_CONVERSATION' : 'IMAGE_CONVERSATION',
            ...(kind === 'video'
              ? { video_owner_id: ann.person.id, video_width: '16', video_height: '9' }
              : { image_display_width: '1200', image_display_height: '628' }),
            created_at: data.created_at,
            updated_at: data.created_at,
            deleted: false,
          })
          for (const url of [media_url, ...(kind === 'video' ? [poster_media_url] : [])])
            assert.equal((await client.send('GET', String(url))).status, 200)
          const got = await ann.get(`${PATH}/${id}`)
          assert.deepEqual(dataOf(got), dataOf(reply))
          assert.equal(paramsOf(got).card_type, `${kind}_conversation`)
          const post = { as_user_id: ann.person.id, text: 'a', card_uri: String(card_uri) }
          assert.equal((await ann.post('/post', post)).status, 201)
        })
        test('a title or a second call to action is needed', async () => {
          assert.deepEqual(errorOf(await without('title')), [400, 'MISSING_PARAMETER title'])
          const { title: _, ...rest } = form()
          const second = { second_cta: '#two', second_cta_post: 'Two' }
          const reply = await ann.post(PATH, { ...rest, ...second })
          assert.equal(reply.status, 201, reply.text)
          assert.deepEqual([dataOf(reply).title, dataOf(reply).second_cta], [null, '#two'])
        })
        test('every call to action goes with what it says', async () => {
          for (const nth of ['second', 'third', 'fourth']) {
            assert.deepEqual(errorOf(await ask({ [`${nth}_cta`]: '#a' })), [
              400,
              `INCLUSIVE_PARAMETERS ${nth}_cta_post`,
            ])
            assert.deepEqual(errorOf(await ask({ [`${nth}_cta_post`]: 'a' })), [
              400,
              `INCLUSIVE_PARAMETERS ${nth}_cta`,
            ])
          }
          for (const name of ['first_cta', 'first_cta_post', 'thank_you_text', 'media_key', 'name'])
            assert.deepEqual(errorOf(await without(name)), [400, `MISSING_PARAMETER ${name}`])
        })
        test('hashtags have 20 characters behind their sign', async () => {
          for (const [cta, status] of [
            [`#${'x'.repeat(20)}`, 201],
            ['x'.repeat(20), 201],
            [`#${'x'.repeat(21)}`, 400],
            ['#two words', 400],
            ['#', 400],
          ] as const)
            assert.equal((await ask({ first_cta: cta })).status, status, cta)
        })
        test('what someone says is a post that can be', async () => {
          const reply = await ask({ first_cta_post: '中'.repeat(141) })
          assert.deepEqual(errorOf(reply), [400, 'INVALID_POST first_cta_post'])
          // A link weighs 23, however long it is.
          const linked = `Look ${'https://example.com/'.padEnd(600, 'a')}`
          assert.equal(dataOf(await ask({ first_cta_post: linked })).first_cta_post, linked)
          assert.deepEqual(errorOf(await ask({ first_cta_post: 'a'.repeat(281) })), [
            400,
            'INVALID_POST first_cta_post',
          ])
        })
        test('its medium is of its form', async () => {
          const wrong = kind === 'video' ? [mp4(640, 640), png(1200, 628)] : [png(800, 800), mp4(1280, 720)]
          const codes =
            kind === 'video' ? ['INVALID_MEDIA', 'INVALID_MEDIA'] : ['INVALID_IMAGE', 'INVALID_MEDIA']
          for (const [index, content] of wrong.entries())
            assert.deepEqual(errorOf(await ask({ media_key: await hold(content) })), [
              400,
              `${codes[index]} media_key`,
            ])
          assert.deepEqual(errorOf(await ask({ media_key: '3_1' })), [404, 'MEDIA_NOT_FOUND media_key'])
        })
        test('unlocked media are not returned, unless they are videos', async () => {
          const banner = await hold(png(1000, 400))
          const data = dataOf(
            await ask({ unlocked_image_media_key: banner, thank_you_url: 'https://example.com' }),
          )
          assert.deepEqual(
            [data.unlocked_image_media_key, data.thank_you_url],
            [undefined, 'https://example.com'],
          )
          if (kind === 'image') {
            const reply = await ask({ unlocked_image_media_key: image })
            return assert.deepEqual(errorOf(reply), [400, 'INVALID_IMAGE unlocked_image_media_key'])
          }
          const more = dataOf(await ask({ unlocked_video_media_key: video, poster_media_key: image }))
          assert.deepEqual([more.unlocked_video_media_key, more.poster_media_key], [video, undefined])
          assert.match(String(more.poster_media_url), /png$/)
        })
        if (kind === 'video')
          test('the chosen poster is also shown by single reads and lists', async () => {
            await framed()
            const usual = dataOf(await ask()).poster_media_url
            const made = dataOf(await ask({ poster_media_key: image }))
            assert.notEqual(made.poster_media_url, usual)
            assert.deepEqual(dataOf(await ann.get(`${PATH}/${made.id}`)), made)
            assert.deepEqual(listOf(await ann.get(`${PATH}?card_ids=${made.id}`)), [made])
            assert.deepEqual(dataOf(await ann.get(`/cards/all/${made.id}`)), made)
          })
        test('the type of a card that is sent back is repeated once', async () => {
          const made = dataOf(await ask())
          const reply = await ann.put(`${PATH}/${made.id}`, { card_type: String(made.card_type) })
          assert.deepEqual(reply.text.match(/"card_type":"[a-z_]+"/gi), [
            `"card_type":"${kind}_conversation"`,
            `"card_type":"${kind === 'video' ? 'VIDEO_CONVERSATION' : 'IMAGE_CONVERSATION'}"`,
          ])
        })
        test('a change keeps the rules', async () => {
          const card = dataOf(await ask())
          const path = `${PATH}/${card.id}`
          assert.deepEqual(errorOf(await ann.put(path, { title: '' })), [400, 'MISSING_PARAMETER title'])
          opened.plaza.clock.advance(1000)
          const now = dataOf(await ann.put(path, { title: '', second_cta: '#b', second_cta_post: 'B' }))
          assert.deepEqual([now.title, now.second_cta, now.name], [null, '#b', 'conversation'])
          assert.notEqual(now.updated_at, card.updated_at)
          // Its medium may leave the library meanwhile.
          await ann.delete(`/media_library/${form().media_key}`)
          assert.equal((await ann.put(path, { name: 'another' })).status, 200)
          assert.deepEqual(names(listOf(await ann.get(`${PATH}?q=ano`))), ['another'])
        })
        test('a deleted one is shown to who asks', async () => {
          await framed()
          const card = dataOf(await ask())
          const gone = dataOf(await ann.delete(`${PATH}/${card.id}`))
          assert.deepEqual(gone, { ...card, deleted: true })
          assert.deepEqual(errorOf(await ann.get(`${PATH}/${card.id}`)), [404, 'CARD_NOT_FOUND card_id'])
          assert.deepEqual(listOf(await ann.get(`${PATH}?with_deleted=true`)), [gone])
        })
      })
    }
  })
}
