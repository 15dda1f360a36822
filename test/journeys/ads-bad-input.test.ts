import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { conformanceName } from '../../scripts/endpoints-page.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import { jsonText } from '../../src/platform/common/exact-json.ts'
import { encode } from '../../src/platform/common/percent.ts'
import { plain, type Schema } from '../../src/platform/http/schema.ts'
import { isAdsEndpoint } from '../../src/platform/protocols/ads/endpoint.ts'
import { call, type Draft, draft, targetOf } from '../conformance/calls.ts'
import { openWorld, type Reply, type World } from '../conformance/world.ts'
import { allEventsHandled } from '../support/events.ts'
import { stages } from '../support/stages.ts'

// Wrong types, huge values and wrong encodings for every parameter of every advertising endpoint,
// made from their declarations. Each is rejected with the parameter named, and nothing changes in
// the store.

const LONG = 'x'.repeat(10_000)
const NUL = 'a\u0000b'
const EMOJI = '\u{1f4a3}'
const WORDS = [
  '',
  'abc',
  '1e3',
  '0x10',
  '1.5',
  ' 1',
  'NaN',
  'true',
  '-',
  '99999999999999999999',
  LONG,
  NUL,
  EMOJI,
]
const INJECTED = ["'; DROP TABLE accounts; --", '../../etc/passwd', '%', '{{7*7}}', '<b>', 'null', '[]', '{}']

/** Values that no reader of the schema may take. */
function wrongValues(schema: Schema): string[] {
  const values = wrongFilled(schema)
  return schema.clearable || (schema.type === 'array' && !schema.minItems) ? values.filter(Boolean) : values
}

function wrongFilled(schema: Schema): string[] {
  if (schema.format === 'instant')
    return [...WORDS.filter((one) => one !== ''), '2026-02-30', '2026-13-01', '1772366400']
  if (schema.enum)
    return [...WORDS, ...INJECTED, `${schema.enum[0]} `].filter((one) => !isChoice(schema, one))
  switch (schema.type) {
    case 'integer':
      return [
        ...WORDS,
        ...(schema.minimum === undefined ? [] : [String(schema.minimum - 1)]),
        ...(schema.maximum === undefined ? [] : [String(BigInt(schema.maximum) + 1n)]),
      ]
    case 'boolean':
      return [...WORDS, '1', 'yes', 'tru'].filter((one) => one !== 'true')
    case 'array':
      return [
        ...(schema.minItems ? [''] : []),
        ...wrongValues(schema.items ?? { type: 'string' })
          .filter((one) => !one.includes(','))
          .slice(0, 12),
      ]
    default:
      return wrongTexts(schema)
  }
}

const isChoice = ({ enum: values = [] }: Schema, text: string) => values.map(String).includes(text)

function wrongTexts({ pattern, minLength = 0, maxLength }: Schema): string[] {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return [...WORDS, ...INJECTED].filter((text) => {
    if (text === NUL) return true
    if (form && !form.test(text)) return true
    const length = [...text].length
    return length < minLength || length > (maxLength ?? Number.POSITIVE_INFINITY)
  })
}

/** A value as it goes over the wire when its bytes are no UTF-8, or its escapes no escapes. */
const BROKEN_BYTES = ['%ff', '%c3%28', '%ed%a0%80', '%', '%zz', '%f8%88%80%80%80']

describe('bad input of the advertising API', () => {
  let world: World
  let database: DatabaseSync
  /** Reads in a transaction, in which it sees what was stored when that began. */
  let earlier: DatabaseSync
  before(async () => {
    const stage = stages.find(({ name }) => name === 'SQLite file')
    if (!stage) throw new Error('there is no stage with a file')
    world = await openWorld(stage)
    const open = () => new DatabaseSync(`${world.folder}/plaza.db`, { readOnly: true })
    database = open()
    earlier = open()
  })
  after(async () => {
    database?.close()
    earlier?.close()
    await world?.close()
  })

  /** Changes with each commit of others. */
  const version = () => database.prepare('PRAGMA data_version').get()?.data_version

  /**
   * Of everything that is stored, but how far background work has come: that moves by the clock.
   */
  function checksumOf(database: DatabaseSync): string {
    const hash = createHash('sha256')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    for (const { name } of tables) {
      hash.update(String(name))
      const columns = name === 'event_consumers' ? 'name, gap_to' : '*'
      const rows = database.prepare(`SELECT ${columns} FROM "${name}"`)
      rows.setReadBigInts(true)
      for (const row of rows.iterate()) hash.update(jsonText(row))
    }
    return hash.digest('hex')
  }

  const named = ({ text }: Reply): (string | undefined)[] => {
    const { errors, operation_errors: operations } = JSON.parse(text) as Record<string, unknown>
    const all = [
      ...((errors as object[] | undefined) ?? []),
      ...((operations as object[][] | undefined) ?? []).flat(),
    ]
    return (all as Record<string, string>[]).map(({ parameter, attribute }) => parameter ?? attribute)
  }

  function assertTurnedDown(reply: Reply, name: string, what: string): void {
    assert.ok(
      reply.status >= 400 && reply.status < 500,
      `${what}: ${reply.status} ${reply.text.slice(0, 300)}`,
    )
    assert.ok(named(reply).includes(name), `${what}: ${reply.text.slice(0, 300)}`)
  }

  /** Plays every call against one good draft, which none of them uses up. */
  async function unchanged(endpoint: Endpoint, play: (one: Draft) => Promise<void>): Promise<void> {
    const one = await draft(world, endpoint, 'user')
    await allEventsHandled(world.plaza.context.store)
    const before = version()
    earlier.exec('BEGIN')
    earlier.prepare('SELECT count(*) FROM accounts').get()
    try {
      await play(one)
      // Reading everything takes longer than all the calls.
      if (version() !== before)
        assert.equal(checksumOf(database), checksumOf(earlier), 'something was stored')
    } finally {
      earlier.exec('ROLLBACK')
    }
  }

  for (const endpoint of endpoints.filter(isAdsEndpoint)) {
    const parts = [
      ['params', plain(endpoint.pathParams)],
      ['query', plain(endpoint.query)],
      ['form', plain(endpoint.form)],
    ] as const
    describe(conformanceName(endpoint), () => {
      for (const [place, { properties = {} }] of parts) {
        for (const [name, schema] of Object.entries(properties)) {
          // An account that no one has is rejected before anything else is looked at.
          if (name === 'account_id') continue
          // Another kind of card is another path.
          if (name === 'card_type' && place === 'params') continue
          test(`${name} is named when its value is wrong`, () =>
            unchanged(endpoint, async (one) => {
              for (const value of wrongValues(schema)) {
                // An empty one is another path, and a path that is longer than any is none at all.
                if (place === 'params' && (value === '' || value === LONG)) continue
                const reply = await call(world, endpoint, withValue(one, place, name, value), {
                  kind: 'user',
                })
                assertTurnedDown(reply, name, `${name}=${value.slice(0, 60)}`)
              }
              if (place === 'params') return
              for (const bytes of BROKEN_BYTES) {
                const reply = await raw(endpoint, one, `${encode(name)}=${bytes}`)
                assertTurnedDown(reply, name, `${name}=${bytes}`)
              }
            }))
        }
      }
      if (endpoint.method !== 'GET' && !endpoint.body) {
        test('names what is not a parameter in a JSON body', () =>
          unchanged(endpoint, async (one) => {
            const [name] = Object.keys(endpoint.form.properties)
            if (name === undefined) return
            for (const value of ['{"a":1}', '[[]]', '[null]', '1e400', '[{}]', '"\\u0000"']) {
              const body = `{${JSON.stringify(name)}:${value}}`
              const reply = await call(world, endpoint, { ...one, form: [], body }, { kind: 'user' })
              assertTurnedDown(reply, name, body)
            }
          }))
      }
    })
  }

  const withValue = (one: Draft, place: 'params' | 'query' | 'form', name: string, value: string): Draft =>
    place === 'params'
      ? { ...one, params: { ...one.params, [name]: value } }
      : { ...one, [place]: [...one[place].filter(([known]) => known !== name), [name, value]] }

  /**
   * Bytes that no client library would send; they cannot be signed rightly, and are rejected before
   * that matters.
   */
  const raw = (endpoint: Endpoint, one: Draft, query: string): Promise<Reply> =>
    world.send(endpoint.host, {
      method: endpoint.method,
      target: `${targetOf(world, endpoint, { ...one, query: [] })}?${query}`,
      headers: [],
    })
})
