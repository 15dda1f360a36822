import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entities } from '../../src/api/ads/entity/entity.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import type { Pair } from '../../src/platform/http/input/form.ts'
import { plain, type Schema } from '../../src/platform/http/schema.ts'
import { stages } from '../support/stages.ts'
import { call, type Draft, draft } from './calls.ts'
import { openWorld, type World } from './world.ts'

type Entity = Record<string, unknown>

/** Saving what was loaded: every update, with the members whose values it must not change. */
const SAVED: Readonly<Record<string, readonly string[]>> = {
  updateABTest: ['created_at', 'entity_type', 'id'],
  updateAccount: [
    'approval_status',
    'business_id',
    'business_name',
    'created_at',
    'id',
    'timezone',
    'timezone_switch_at',
  ],
  updateCampaign: ['created_at', 'currency', 'funding_instrument_id', 'id'],
  updateCard: ['card_type', 'card_uri', 'created_at', 'id'],
  updateCustomAudience: ['audience_type', 'created_at', 'id', 'owner_account_id', 'partner_source'],
  updateDraftPost: ['created_at', 'id', 'user_id'],
  updateImageConversationCard: ['card_type', 'created_at', 'id'],
  updateLineItem: [
    'automatic_post_promotion',
    'campaign_id',
    'created_at',
    'currency',
    'funding_instrument_id',
    'id',
    'objective',
    'placements',
    'product_type',
    'target_cpa_local_micro',
  ],
  updateLineItemCuratedCategory: ['created_at', 'id'],
  updateMediaLibraryItem: ['created_at', 'media_category', 'media_key', 'media_type'],
  updatePrerollCallToAction: ['created_at', 'id', 'line_item_id'],
  updateProductSet: ['filters', 'id', 'product_ids', 'type'],
  updatePromotedPost: ['approval_status', 'created_at', 'id', 'line_item_id'],
  updateScheduledPost: ['created_at', 'id', 'user_id'],
  updateTailoredAudience: ['audience_type', 'created_at', 'id', 'owner_account_id', 'partner_source'],
  updateTaxSettings: ['address_company'],
  updateTrackingTag: ['created_at', 'id', 'line_item_id', 'tracking_tag_type'],
  updateUserSettings: [],
  updateVideoConversationCard: ['card_type', 'created_at', 'id'],
  updateWebEventTag: ['created_at', 'id', 'website_tag_id'],
}

/**
 * Members of replies that the service changes or derives: values that are sent for them are
 * ignored.
 */
const MOVES = new Set([
  'aspect_ratio',
  'audience_size',
  'completed_at',
  'created_by',
  'deleted',
  'duration',
  'duration_in_days',
  'effective_status',
  'embed_code',
  'entities',
  'frequency_cap',
  'image_display_height',
  'image_display_width',
  'is_owner',
  'last_tracked_at',
  'media_status',
  'media_url',
  'permission_level',
  'post_id',
  'posted',
  'poster_media_url',
  'processing_status',
  'reasons_not_servable',
  'reasons_not_targetable',
  'scheduled_status',
  'servable',
  'status',
  'targetable',
  'targetable_types',
  'updated_at',
  'updated_by',
  'video_height',
  'video_owner_id',
  'video_width',
])

/** Uploaded videos are processed in the background. */
const LATER = ['media_status', 'poster_media_url']
const settled = (one: Entity) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !LATER.includes(name)))

const readOf = (update: Endpoint) =>
  endpoints.find(({ method, path, host }) => method === 'GET' && path === update.path && host === update.host)
const updates = endpoints.filter(
  (one) =>
    one.protocol.name === 'ads' &&
    one.method === 'PUT' &&
    readOf(one)?.replyKind === 'json' &&
    one.id.startsWith('update'),
)

/** Values as the string functions of common languages format them. */
function textOf(value: unknown, python: boolean): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one, python)).join(',')
  if (typeof value === 'boolean' && python) return value ? 'True' : 'False'
  return value === null ? '' : String(value)
}

const pairsOf = (one: Entity, python: boolean): Pair[] =>
  Object.entries(one)
    .filter(([, value]) => !python || value !== null)
    .map(([name, value]) => [name, textOf(value, python)])

/** Each format in which an update accepts its parameters. */
const encodings = (endpoint: Endpoint): Record<string, (one: Entity) => Partial<Draft>> =>
  endpoint.body
    ? { JSON: (json) => ({ json, form: [], query: [] }) }
    : {
        'a query': (one) => ({ query: pairsOf(one, true), form: [] }),
        'a form': (one) => ({ query: [], form: pairsOf(one, false) }),
        JSON: (one) => ({ query: [], form: [], body: JSON.stringify(one) }),
      }

/** A value that differs from that of a member. */
function other(schema: Schema, value: unknown): unknown {
  if (schema.type === 'array')
    return schema.items?.type === 'object' ? [{}] : [other(schema.items ?? {}, [value].flat()[0])]
  if (schema.enum) return schema.enum.find((one) => one !== value) ?? 'ANOTHER'
  if (schema.format === 'instant') return '2031-02-03T04:05:06Z'
  if (schema.type === 'boolean') return value !== true
  if (schema.type === 'integer') return Number(value ?? 0) + 1
  const samples = ['zz9', '77', 'card://77', '3_77', 'EUR', 'Europe/Paris']
  const fits = samples.filter((one) => new RegExp(schema.pattern ?? '', 'u').test(one))
  return fits.find(
    (one) => one !== value && one.length <= (schema.maxLength ?? 99) && one.length >= (schema.minLength ?? 0),
  )
}

test('every update of what can be read is looked at', () => {
  assert.deepEqual(updates.map(({ id }) => id).sort(), Object.keys(SAVED).sort())
})

for (const stage of stages.filter(({ name }) => name === 'SQLite in memory')) {
  describe(`saving what was loaded, on ${stage.name}`, { skip: stage.skip }, () => {
    let world: World
    before(async () => {
      world = await openWorld(stage)
    })
    after(() => world?.close())

    const dataOf = (text: string) => (JSON.parse(text) as { data: Entity }).data
    async function load(update: Endpoint, one: Draft): Promise<Entity> {
      const reply = await call(
        world,
        readOf(update) as Endpoint,
        { ...one, query: [], form: [], json: undefined },
        { kind: 'user' },
      )
      assert.equal(reply.status, 200, reply.text)
      return dataOf(reply.text)
    }
    async function loaded(update: Endpoint) {
      const one = { ...(await draft(world, update, 'user')), json: undefined }
      return { one, entity: await load(update, one) }
    }

    for (const update of updates) {
      const { id } = update
      const schemas = plain(update.readOnly).properties ?? {}
      for (const [encoding, encode] of Object.entries(encodings(update)))
        test(`${id} takes everything back as ${encoding}, and changes nothing`, async () => {
          const { one, entity } = await loaded(update)
          world.plaza.clock.advance(5_000)
          const reply = await call(world, update, { ...one, ...encode(entity) }, { kind: 'user' })
          assert.equal(reply.status, 200, reply.text)
          assert.deepEqual(settled(dataOf(reply.text)), settled(entity))
          assert.deepEqual(settled(await load(update, one)), settled(entity))
          // Text that parses to less than it has repeats a name.
          const { request } = JSON.parse(reply.text) as { request: unknown }
          assert.equal(
            reply.text.slice(0, 11 + JSON.stringify(request).length),
            `{"request":${JSON.stringify(request)}`,
          )
        })

      test(`${id} settles what each member is`, async () => {
        const { entity } = await loaded(update)
        const takes = plain(update.body ?? update.form).properties ?? {}
        const others = Object.keys(entity).filter(
          (name) => !MOVES.has(name) && !(name in takes) && (name in schemas || name !== 'card_uri'),
        )
        const expected = [...(SAVED[id] ?? [])].filter((name) => name in entity).sort()
        assert.deepEqual(others.sort(), expected)
      })

      for (const name of SAVED[id] ?? [])
        for (const [encoding, encode] of Object.entries(encodings(update)))
          test(`${id} rejects another ${name} as ${encoding}`, async () => {
            const { one, entity } = await loaded(update)
            const value = other(schemas[name] ?? {}, entity[name])
            assert.notEqual(value, undefined)
            const reply = await call(
              world,
              update,
              { ...one, ...encode({ ...entity, [name]: value }) },
              { kind: 'user' },
            )
            assert.equal(reply.status, 400, reply.text)
            const { errors } = JSON.parse(reply.text) as { errors: { code: string; parameter: string }[] }
            assert.deepEqual(
              errors.map(({ code, parameter }) => [code, parameter]),
              [['INVALID_PARAMETER', name]],
            )
            assert.deepEqual(settled(await load(update, one)), settled(entity))
          })
    }

    for (const { declared, endpoints: own } of entities.filter(
      ({ declared }) => declared.maxBatch && declared.verbs.includes('update'),
    ))
      test(`a batch of ${declared.many} takes everything back, and rejects another currency or time of creation`, async () => {
        const update = own.find(({ method }) => method === 'PUT') as Endpoint
        const batch = own.find(({ path }) => path.includes('/batch/')) as Endpoint
        const { one, entity } = await loaded(update)
        const send = (params: Entity) =>
          call(
            world,
            batch,
            {
              ...one,
              query: [],
              form: [],
              body: JSON.stringify([
                { operation_type: 'Update', params: { ...params, [declared.id]: entity.id } },
              ]),
            },
            { kind: 'user' },
          )
        world.plaza.clock.advance(5_000)
        const reply = await send(entity)
        assert.equal(reply.status, 200, reply.text)
        assert.deepEqual((JSON.parse(reply.text) as { data: Entity[] }).data, [entity])
        const wrong = await send({ ...entity, created_at: '2031-02-03T04:05:06Z' })
        assert.equal(wrong.status, 400, wrong.text)
        const { operation_errors } = JSON.parse(wrong.text) as { operation_errors: { parameter: string }[][] }
        assert.deepEqual(
          operation_errors.map((errors) => errors.map(({ parameter }) => parameter)),
          [['created_at']],
        )
        assert.deepEqual(settled(await load(update, one)), settled(entity))
      })
  })
}
