import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { stages } from '../support/stages.ts'
import { cursorIn, type Data, errorsOf, listOf, Targeter, UNITED_STATES } from '../support/targeting.ts'

const [memory, , shared] = stages

/** What each list is for: one documented entry, and the type that a criterion takes it as. */
const samples: readonly (readonly [path: string, entry: Record<string, unknown>])[] = [
  [
    'app_store_categories?q=games: music&os_type=IOS',
    { name: 'Games: Music', targeting_type: 'APP_STORE_CATEGORY', targeting_value: 'qouq', os_type: 'IOS' },
  ],
  [
    'conversations?conversation_type=SPORTS',
    { name: 'NFL', targeting_type: 'CONVERSATION', targeting_value: 'a1', conversation_type: 'SPORTS' },
  ],
  [
    'devices?q=iphone 4',
    {
      name: 'iPhone 4',
      manufacturer: 'Apple',
      os_type: 'iOS',
      targeting_type: 'DEVICE',
      targeting_value: '1r',
    },
  ],
  [
    'interests?q=BIOGRAPHIES',
    {
      name: 'Books and literature/Biographies and memoirs',
      targeting_type: 'INTEREST',
      targeting_value: '1001',
    },
  ],
  ['languages?q=engl', { name: 'English', targeting_type: 'LANGUAGE', targeting_value: 'en' }],
  [
    'locations?q=los angeles, los&country_code=US&location_type=CITIES',
    {
      name: 'Los Angeles, Los Angeles CA, CA, USA',
      country_code: 'US',
      location_type: 'CITIES',
      targeting_type: 'LOCATION',
      targeting_value: '3b77caf94bfc81fe',
    },
  ],
  [
    'network_operators?q=aeris',
    { name: 'Aeris', country_code: 'US', targeting_type: 'NETWORK_OPERATOR', targeting_value: '1b' },
  ],
  [
    'platform_versions?q=jelly',
    {
      name: 'Jelly Bean',
      number: '4.1',
      os_type: 'Android',
      targeting_type: 'PLATFORM_VERSION',
      targeting_value: '18',
    },
  ],
  ['platforms', { name: 'iOS', targeting_type: 'PLATFORM', targeting_value: '0' }],
  ['tv_markets', { name: 'France', country_code: 'FR', locale: 'fr-FR' }],
  [
    'tv_shows?locale=en-US&q=newswatch',
    {
      name: 'NewsWatch',
      targeting_value: 10_027_243_420,
      genre: 'PAID',
      locales: [{ language: 'en', country: 'US' }],
    },
  ],
]

for (const stage of [memory, shared].filter((one) => one !== undefined)) {
  describe(`targeting options on ${stage.name}`, { skip: stage.skip }, () => {
    let targeter: Targeter

    before(async () => {
      targeter = await Targeter.open(stage)
    })
    after(() => targeter?.close())

    const get = (path: string) => targeter.call('GET', `/targeting_criteria/${encodeURI(path)}`)
    const valuesOf = (list: readonly Data[]) => list.map(({ targeting_value }) => targeting_value)

    /** Every page of a list. */
    async function walk(path: string, count: number): Promise<Data[]> {
      const found: Data[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`
        const reply = await get(`${path}${path.includes('?') ? '&' : '?'}count=${count}${more}`)
        assert.equal(reply.status, 200, reply.text)
        assert.ok(listOf(reply).length <= count)
        found.push(...listOf(reply))
        cursor = cursorIn(reply)
      }
      return found
    }

    for (const [path, entry] of samples) {
      test(`${path} has its documented entry`, async () => {
        const reply = await get(path)
        assert.equal(reply.status, 200, reply.text)
        assert.deepEqual(
          listOf(reply).find(({ name }) => name === entry.name),
          entry,
        )
      })
    }

    test('pages of every list follow each other without gap or repetition', async () => {
      for (const [path, count] of [
        ['conversations', 20],
        ['devices', 150],
        ['interests', 100],
        ['languages', 50],
        ['locations?country_code=DE', 400],
        ['network_operators', 5],
        ['platforms', 2],
        ['tv_shows?locale=en-GB', 6],
        ['events', 10],
      ] as const) {
        const all = await walk(path, count)
        const whole = await walk(path, path.startsWith('tv_shows') ? 50 : 1000)
        assert.ok(all.length > count, path)
        assert.deepEqual(all, whole, path)
        assert.equal(new Set(valuesOf(all)).size, all.length, path)
      }
    })

    test('a cursor belongs to its list and its filters', async () => {
      const cursor = cursorIn(await get('locations?country_code=DE&count=1'))
      const other = ['locations?count=1', 'locations?country_code=FR', 'interests?count=1']
      for (const path of other) {
        const reply = await get(`${path}&cursor=${cursor}`)
        assert.deepEqual([reply.status, errorsOf(reply)[0]?.parameter], [400, 'cursor'], path)
      }
      assert.equal((await get(`locations?country_code=DE&count=5&cursor=${cursor}`)).status, 200)
    })

    test('places are narrowed by country, by type and by text, in any combination', async () => {
      const countries = await walk('locations?location_type=COUNTRIES', 1000)
      assert.ok(countries.length > 200)
      assert.ok(countries.every(({ location_type }) => location_type === 'COUNTRIES'))
      const german = await walk('locations?country_code=DE&location_type=REGIONS', 1000)
      assert.equal(german.length, 16)
      const bavarian = await walk('locations?country_code=DE&q=bavaria', 1000)
      assert.ok(bavarian.length > 16)
      for (const { name, country_code } of bavarian) {
        assert.match(String(name), /bavaria/i)
        assert.equal(country_code, 'DE')
      }
      const everywhere = await walk('locations?q=springfield', 10)
      assert.ok(everywhere.length > 10)
      for (const { name } of everywhere) assert.match(String(name), /springfield/i)
      assert.deepEqual(await walk('locations?q=no such place anywhere', 10), [])
    })

    test('a search finds letters without their accents, and text in any case', async () => {
      const [plain, accented, loud] = await Promise.all(
        ['zurich', 'zürich', 'ZÜRICH'].map((q) => walk(`locations?country_code=CH&q=${q}`, 1000)),
      )
      assert.ok(plain && plain.length > 0)
      assert.deepEqual(accented, plain)
      assert.deepEqual(loud, plain)
    })

    test('network operators are those of the United States unless a country is named', async () => {
      const home = await walk('network_operators', 1000)
      assert.ok(home.every(({ country_code }) => country_code === 'US'))
      const french = await walk('network_operators?country_code=FR', 1000)
      assert.ok(french.length > 0 && french.every(({ country_code }) => country_code === 'FR'))
    })

    test('countries, languages and platforms have names in the language that is asked for', async () => {
      const [country] = listOf(await get('locations?location_type=COUNTRIES&country_code=US&lang=de'))
      assert.deepEqual(
        [country?.targeting_value, country?.localized_name],
        [UNITED_STATES, 'Vereinigte Staaten'],
      )
      const [japanese] = listOf(await get('languages?q=japanese&lang=fr'))
      assert.equal(japanese?.localized_name, 'japonais')
      const platforms = listOf(await get('platforms?lang=es'))
      assert.equal(platforms.at(-1)?.localized_name, 'Ordenadores de escritorio y portátiles')
      assert.equal('localized_name' in (listOf(await get('platforms'))[0] ?? {}), false)
    })

    test('events are the next ones, narrowed by type, country and time', async () => {
      const reply = await get('events?count=1000')
      const { data_type } = reply.json as { data_type: string }
      assert.equal(data_type, 'events')
      const starts = listOf(reply).map(({ start_time }) => String(start_time))
      assert.deepEqual(starts, [...starts].sort())
      assert.ok(listOf(reply).every(({ end_time }) => String(end_time) > '2026-03-01T12:00:00Z'))
      const elections = listOf(await get('events?event_types=POLITICS&count=1000'))
      assert.ok(elections.length > 0 && elections.every(({ event_type }) => event_type === 'POLITICS'))
      const french = listOf(await get('events?country_codes=FR,DE&count=1000'))
      assert.ok(french.some(({ country_code }) => country_code !== null))
      assert.ok(french.every((one) => one.is_global || ['FR', 'DE'].includes(String(one.country_code))))
      const winter = listOf(await get('events?start_time=2026-12-30&end_time=2027-01-01&count=1000'))
      assert.ok(winter.some(({ targeting_value }) => targeting_value === '1ex'))
      assert.ok(winter.every(({ start_time }) => String(start_time) < '2027-01-01'))
      const backwards = await get('events?start_time=2026-12-30&end_time=2026-12-29')
      assert.deepEqual([backwards.status, errorsOf(backwards)[0]?.code], [400, 'INVALID_TIME_WINDOW'])
    })

    test('the market of TV shows is required, and returned as its two parts', async () => {
      const missing = await get('tv_shows')
      assert.deepEqual(errorsOf(missing)[0]?.code, 'MISSING_PARAMETER')
      const wrong = await get('tv_shows?locale=xx-XX')
      assert.deepEqual([wrong.status, errorsOf(wrong)[0]?.parameter], [400, 'locale'])
      const reply = await get('tv_shows?locale=en-US&count=1')
      assert.deepEqual((reply.json as { request: unknown }).request, {
        params: { locale: { countryCode: 'US', languageCode: 'en' }, count: 1 },
      })
      assert.equal((await get('tv_shows?locale=en-US&count=51')).status, 400)
      assert.equal(listOf(await get('tv_markets')).length, 17)
    })

    // The last one, because it moves the clock.
    test('the pages of events stand still while time passes', async () => {
      const whole = listOf(await get('events?count=10'))
      const first = await get('events?count=5')
      targeter.opened.plaza.clock.advance(90 * 86_400_000)
      const second = await get(`events?count=5&cursor=${cursorIn(first)}`)
      assert.equal(second.status, 200, second.text)
      assert.deepEqual([...listOf(first), ...listOf(second)], whole)
    })
  })
}
