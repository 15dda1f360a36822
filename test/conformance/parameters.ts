import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import {
  ApiError,
  type Fault,
  invalid,
  type ParameterPlace,
  unsupported,
  type Violation,
} from '../../src/platform/http/errors.ts'
import type { Pair } from '../../src/platform/http/input/form.ts'
import { bodyTypes } from '../../src/platform/http/input/incoming.ts'
import { plain, type Schema } from '../../src/platform/http/schema.ts'
import { neutralVocabulary } from '../../src/platform/http/vocabulary.ts'
import { isAdsEndpoint } from '../../src/platform/protocols/ads/endpoint.ts'
import {
  anyKind,
  assertRejected,
  assertSucceeded,
  call,
  type Draft,
  draft,
  errorOf,
  targetOf,
} from './calls.ts'
import type { Extent } from './extent.ts'
import { jsonVariants, shownOf, textVariants, type Variant, violationOf } from './variants.ts'
import type { Reply, World } from './world.ts'

/** The right in the account of the path; undefined if the path has none. */
const rightOf = (endpoint: Endpoint) => (isAdsEndpoint(endpoint) ? endpoint.right : undefined)

interface Parameter {
  place: ParameterPlace
  /** As declared. */
  name: string
  schema: Schema
  required: boolean
}

/** An error lists at most this many violations. */
const MAX_VIOLATIONS = 20
const AUTH_NAMES = /^oauth_/

function parametersOf({ pathParams, query, form, body }: Endpoint): Parameter[] {
  const places: [ParameterPlace, Schema][] = [
    ['path', plain(pathParams)],
    ['query', plain(query)],
    ['form', plain(form)],
    ['body', body && !plain(body).raw ? plain(body) : {}],
  ]
  return places.flatMap(([place, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(([name, schema]) => ({
      place,
      name,
      schema,
      required: required.includes(name),
    })),
  )
}

/**
 * Every declared parameter with values just inside and just outside its bounds, or with fewer
 * values and all invalid ones at once.
 */
export function parameterTests(endpoint: Endpoint, world: () => World, extent: Extent): void {
  const parameters = parametersOf(endpoint)
  const unused = unusedDraft(endpoint, world)
  for (const parameter of parameters) valueTests(endpoint, parameter, { world, extent, unused })
  const elsewhere = parameters.filter(({ place }) => rightOf(endpoint) === undefined || place !== 'path')
  if (elsewhere.length + (endpoint.protocol.name === 'problem' ? 1 : 0) > 1)
    togetherTest(endpoint, parameters, world)
  if (extent === 'stored') return
  for (const parameter of parameters) {
    if (parameter.required && parameter.place !== 'path') missingTest(endpoint, parameter, { world, unused })
    const joins = parameter.schema.type === 'array' && endpoint.protocol.name === 'ads'
    if (parameter.place === 'query' || parameter.place === 'form')
      (joins ? repeatedListTest : repeatedTest)(endpoint, parameter, world)
  }
  unknownTests(endpoint, world)
  if (Object.keys(endpoint.form.properties).length > 0)
    for (const name of endpoint.notSettable) notSettableTest(endpoint, name, world)
  if (endpoint.body) bodyTests(endpoint, { world, unused })
  else if (bodyTypes(endpoint)) formTypeTests(endpoint, world)
}

type UnusedDraft = () => Promise<Draft>

/**
 * The same draft for all calls that are rejected for their form: none of them uses it up. Making
 * one takes longer than such a call.
 */
function unusedDraft(endpoint: Endpoint, world: () => World): UnusedDraft {
  let made: Promise<Draft> | undefined
  return () => {
    made ??= draft(world(), endpoint, anyKind(endpoint))
    return made
  }
}

interface RejectionParts {
  world(): World
  unused: UnusedDraft
}

const OTHER_TYPES = ['text/plain', 'application/xml', 'multipart/form-data', 'application/json', undefined]

/** JSON may come without its content type, or with that of a form. */
const takesUntypedJson = (endpoint: Endpoint) =>
  endpoint.protocol.input.untypedJson && bodyTypes(endpoint)?.includes('application/json')

/** A body that is not read must not have a content type. */
function formTypeTests(endpoint: Endpoint, world: () => World): void {
  const types = bodyTypes(endpoint) as readonly string[]
  for (const contentType of OTHER_TYPES.filter((one) =>
    one === undefined ? !takesUntypedJson(endpoint) : !types.includes(one),
  ))
    test(`rejects a body of type ${contentType}`, async () => {
      const { form, ...one } = await draft(world(), endpoint, anyKind(endpoint))
      const inQuery = { ...one, query: [...one.query, ...form], form: [], body: '{}', contentType }
      const reply = await call(world(), endpoint, inQuery, { kind: anyKind(endpoint) })
      assertRejected(world(), endpoint.protocol, reply, unsupported('content type', contentType, types))
    })
}

/** What there is to try does not depend on the vocabulary; only the values of choices do. */
const variantsOf = ({ place, schema }: Parameter, { vocabulary }: Pick<World, 'vocabulary'>) => {
  const all: Variant[] =
    place === 'body' ? jsonVariants(schema, vocabulary) : textVariants(schema, vocabulary)
  // An empty path parameter is another path.
  return place === 'path' ? all.filter(({ value }) => value !== '') : all
}

function valueTests(
  endpoint: Endpoint,
  parameter: Parameter,
  { world, extent, unused }: RejectionParts & { extent: Extent },
): void {
  const all = variantsOf(parameter, { vocabulary: neutralVocabulary })
  const right = all.findIndex(({ fault }) => !fault)
  for (const [index, { what, fault }] of all.entries()) {
    if (extent === 'stored' && index !== right) continue
    test(`${fault ? 'rejects' : 'takes'} ${what} as ${parameter.place} ${parameter.name}`, async () => {
      const variant = variantsOf(parameter, world())[index] as Variant
      const good = await (fault ? unused() : draft(world(), endpoint, anyKind(endpoint)))
      const one = changed(world(), good, parameter, variant.value)
      const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
      // A path with another word is another path.
      if (parameter.place === 'path' && variant.fault?.kind === 'choice')
        assertRejected(world(), endpoint.protocol, reply, 'not found')
      else if (variant.fault) {
        const violations = [violationOf(parameter.place, publicNameOf(world(), parameter), variant)]
        assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, violations))
      } else assertFormAccepted(world(), endpoint, reply, parameter, variant)
    })
  }
}

function missingTest(endpoint: Endpoint, parameter: Parameter, { world, unused }: RejectionParts): void {
  test(`rejects a call without ${parameter.place} ${parameter.name}`, async () => {
    const one = changed(world(), await unused(), parameter, undefined)
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    const name = publicNameOf(world(), parameter)
    const violation: Violation = {
      place: parameter.place,
      name,
      value: undefined,
      fault: { kind: 'missing' },
    }
    assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, [violation]))
  })
}

/** Several values of this length might not fit into one body. */
const LONG = 1_000_000

function repeatedTest(endpoint: Endpoint, parameter: Parameter, world: () => World): void {
  const { place, name, schema } = parameter
  // Two different values of a signature's own parameter make the signature invalid.
  if (AUTH_NAMES.test(name) && endpoint.auth[0] !== 'none') return
  test(`rejects ${place} ${name} given twice`, async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const pairs = place === 'query' ? one.query : one.form
    const publicName = publicNameOf(world(), parameter)
    const fine = variantsOf({ place, name, schema, required: false }, world()).find(
      ({ fault, value }) => !fault && String(value).length < LONG,
    )
    const value = pairs.find(([key]) => key === publicName)?.[1] ?? String(fine?.value ?? fitting(schema))
    if (!pairs.some(([key]) => key === publicName)) pairs.push([publicName, value])
    pairs.push([publicName, value])
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    const variant: Variant = { what: '', value, fault: { kind: 'repeated' } }
    assertRejected(
      world(),
      endpoint.protocol,
      reply,
      errorOf(endpoint, [violationOf(place, publicName, variant)]),
    )
  })
}

/** `a=1&a=2` is `a=1,2`: an invalid second value is an invalid item of the list. */
function repeatedListTest(endpoint: Endpoint, parameter: Parameter, world: () => World): void {
  const { place, name } = parameter
  test(`takes ${place} ${name} as a list that is given in parts`, async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const publicName = publicNameOf(world(), parameter)
    const pairs = place === 'query' ? one.query : one.form
    const all = variantsOf(parameter, world())
    const items = all.filter(({ what, value }) => what !== 'nothing' && !String(value).includes(','))
    const value =
      pairs.find(([key]) => key === publicName)?.[1] ??
      String(items.find(({ fault }) => !fault)?.value ?? fitting(parameter.schema))
    // A list that is too short has no wrong item.
    const wrong = items.find(({ what, fault }) => fault && !what.startsWith('only '))
    if (!wrong) return
    const others = pairs.filter(([key]) => key !== publicName)
    const parts: Pair[] = [...value.split(','), String(wrong.value)].map((part) => [publicName, part])
    const changed =
      place === 'query' ? { ...one, query: [...others, ...parts] } : { ...one, form: [...others, ...parts] }
    const reply = await call(world(), endpoint, changed, { kind: anyKind(endpoint) })
    assertRejected(
      world(),
      endpoint.protocol,
      reply,
      errorOf(endpoint, [violationOf(place, publicName, wrong)]),
    )
  })
}

/** Values of the forms that parameters have, where no variant is a good one. */
const SAMPLES = [
  'a',
  '1',
  'US',
  '05:00',
  '3_1',
  'IAB1',
  'card://1',
  'https://example.com/',
  '00000000-0000-4000-8000-000000000000',
]

const fitting = ({ pattern = '', items }: Schema): string =>
  items ? fitting(items) : (SAMPLES.find((one) => new RegExp(pattern, 'u').test(one)) ?? 'a')

function notSettableTest(endpoint: Endpoint, name: string, world: () => World): void {
  test(`rejects ${name}, which cannot be set`, async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const publicName = world().vocabulary.name(name)
    one.query.push([publicName, '1'])
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    const violation: Violation = {
      place: 'form',
      name: publicName,
      value: '1',
      fault: { kind: 'not settable' },
    }
    assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, [violation]))
  })
}

function unknownTests(endpoint: Endpoint, world: () => World): void {
  const strict = endpoint.protocol.name === 'problem'
  test(`${strict ? 'rejects' : 'passes over'} an unknown query parameter`, async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    one.query.push(['no_such_parameter', '1'])
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    if (!strict) return assertSucceeded(world(), endpoint, reply)
    assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, [unknownQuery(endpoint, world())]))
  })
  test('rejects a malformed escape in the query', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    const target = `${targetOf(world(), endpoint, { ...one, query: [] })}?a=%zz`
    const reply = await world().send(endpoint.host, {
      method: endpoint.method,
      target,
      headers: one.headers,
    })
    const violation: Violation = { place: 'query', name: 'a', value: '%zz', fault: { kind: 'invalid' } }
    assertRejected(world(), endpoint.protocol, reply, invalid(violation))
  })
}

const unknownQuery = ({ query }: Endpoint, { vocabulary }: World): Violation => ({
  place: 'query',
  name: 'no_such_parameter',
  value: '1',
  fault: {
    kind: 'unknown',
    known: Object.keys(plain(query).properties ?? {}).map((name) => vocabulary.name(name)),
  },
})

function togetherTest(endpoint: Endpoint, parameters: readonly Parameter[], world: () => World): void {
  test('tells everything that is wrong at once', async () => {
    let one = await draft(world(), endpoint, anyKind(endpoint))
    const byPlace: Record<string, Violation[]> = {}
    for (const parameter of parameters) {
      // Callers without an account learn nothing more.
      if (rightOf(endpoint) !== undefined && parameter.place === 'path') continue
      const variant = variantsOf(parameter, world()).find(
        ({ fault, value }) => fault && String(value).length < LONG,
      )
      if (!variant) continue
      one = changed(world(), one, parameter, variant.value)
      const violation = violationOf(parameter.place, publicNameOf(world(), parameter), variant)
      byPlace[parameter.place] = [...(byPlace[parameter.place] ?? []), violation]
    }
    if (endpoint.protocol.name === 'problem') {
      one.query.push(['no_such_parameter', '1'])
      byPlace.query = [...(byPlace.query ?? []), unknownQuery(endpoint, world())]
    }
    const violations = ['path', 'query', 'form', 'body']
      .flatMap((place) => byPlace[place] ?? [])
      .slice(0, MAX_VIOLATIONS)
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, violations))
  })
}

function bodyTests(endpoint: Endpoint, { world, unused }: RejectionParts): void {
  const atRoot = (fault: Fault, value?: string): Violation => ({ place: 'body', name: '$', value, fault })
  const isRaw = plain(endpoint.body as never).raw === true
  const bodies: [string, Buffer | string | undefined, Violation][] = [
    ['malformed JSON', '{"url":', atRoot({ kind: 'type', expected: 'JSON in UTF-8' }, '{"url":')],
    [
      'invalid UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      atRoot({ kind: 'type', expected: 'JSON in UTF-8' }, '"\ufffd"'),
    ],
    ...(isRaw
      ? []
      : ([
          ['a list', '[]', atRoot({ kind: 'type', expected: 'object' }, '[]')],
          ['null', 'null', atRoot({ kind: 'type', expected: 'object' }, 'null')],
        ] satisfies [string, string, Violation][])),
    ...(endpoint.optionalBody
      ? []
      : ([
          ['an empty body', '', atRoot({ kind: 'missing' })],
          ['no body', undefined, atRoot({ kind: 'missing' })],
        ] satisfies [string, string | undefined, Violation][])),
  ]
  const send = async (change: Partial<Draft>) => {
    const { json: _, ...one } = await unused()
    return call(world(), endpoint, { ...one, json: undefined, ...change }, { kind: anyKind(endpoint) })
  }
  for (const [what, body, violation] of bodies) {
    test(`rejects ${what}`, async () => {
      const reply = await send(body === undefined ? {} : { body })
      assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, [violation]))
    })
  }
  const untyped = takesUntypedJson(endpoint)
  for (const contentType of ['text/plain', 'application/xml', ...(untyped ? [] : [undefined])]) {
    test(`rejects a body of type ${contentType}`, async () => {
      const reply = await send({ body: '{}', contentType })
      assertRejected(
        world(),
        endpoint.protocol,
        reply,
        unsupported('content type', contentType, ['application/json']),
      )
    })
  }
  for (const contentType of untyped ? [undefined, 'application/x-www-form-urlencoded'] : [])
    test(`takes JSON with the content type ${contentType}`, async () => {
      const one = await draft(world(), endpoint, anyKind(endpoint))
      one.contentType = contentType
      assertSucceeded(world(), endpoint, await call(world(), endpoint, one, { kind: anyKind(endpoint) }))
    })
  test('takes a content type with parameters', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    one.contentType = 'Application/JSON; charset=UTF-8'
    assertSucceeded(world(), endpoint, await call(world(), endpoint, one, { kind: anyKind(endpoint) }))
  })
  if (isRaw) rawBodyTests(endpoint, { world, unused })
  if (plain(endpoint.body as never).additionalProperties !== false) return
  test('rejects an unknown member', async () => {
    const one = await draft(world(), endpoint, anyKind(endpoint))
    one.json = { ...(one.json as object), no_such_member: 1 }
    const reply = await call(world(), endpoint, one, { kind: anyKind(endpoint) })
    const known = Object.keys(plain(endpoint.body as never).properties ?? {}).map(world().vocabulary.name)
    const violation: Violation = {
      place: 'body',
      name: '$.no_such_member',
      value: '1',
      fault: { kind: 'unknown', known },
    }
    assertRejected(world(), endpoint.protocol, reply, errorOf(endpoint, [violation]))
  })
}

/**
 * A body that its handler reads itself must be rejected with an error of the same kind, whatever it
 * contains.
 */
function rawBodyTests(endpoint: Endpoint, { world, unused }: RejectionParts): void {
  const junk = [
    'null',
    '7',
    '"text"',
    '{}',
    '[]',
    '[null]',
    '[[]]',
    '[{}]',
    '[{"operation_type":7,"params":[]}]',
  ]
  for (const body of [...junk, `[${'[],'.repeat(5000)}[]]`, `${'['.repeat(20_000)}${']'.repeat(20_000)}`]) {
    test(`rejects the body ${body.slice(0, 40)}`, async () => {
      const { json: _, ...one } = await unused()
      const reply = await call(
        world(),
        endpoint,
        { ...one, json: undefined, body },
        { kind: anyKind(endpoint) },
      )
      assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status} ${reply.text.slice(0, 200)}`)
    })
  }
}

/** The name as a violation shows it. */
function publicNameOf({ vocabulary }: World, { place, name }: Parameter): string {
  const publicName = vocabulary.name(name)
  return place === 'body' ? `$.${publicName}` : publicName
}

/** The draft with another value of one parameter; undefined omits it. */
function changed({ vocabulary }: World, one: Draft, { place, name }: Parameter, value: unknown): Draft {
  const publicName = vocabulary.name(name)
  const replaced = (pairs: Pair[]): Pair[] => [
    ...pairs.filter(([key]) => key !== publicName),
    ...(value === undefined ? [] : [[publicName, String(value)] satisfies Pair]),
  ]
  switch (place) {
    case 'path':
      return { ...one, params: { ...one.params, [name]: String(value) } }
    case 'query':
      return { ...one, query: replaced(one.query) }
    case 'form':
      return { ...one, form: replaced(one.form) }
    default: {
      const { [publicName]: _, ...others } = one.json as Record<string, unknown>
      return { ...one, json: value === undefined ? others : { ...others, [publicName]: value } }
    }
  }
}

/** A resource may still reject a value by a rule of its own, but not because of its format. */
function assertFormAccepted(
  world: World,
  endpoint: Endpoint,
  reply: Reply,
  parameter: Parameter,
  variant: Variant,
): void {
  assert.ok(reply.status < 500, reply.text)
  // Where invalid parameters have one cause of their own, the format is not distinguished from the
  // value.
  if (endpoint.onInvalid || endpoint.protocol.name === 'page') return
  const { place } = parameter
  const name = publicNameOf(world, parameter)
  const value = shownOf(variant)
  const kinds: Fault[] = [{ kind: 'empty' }, { kind: 'invalid' }, { kind: 'missing' }]
  for (const fault of kinds) {
    const error = new ApiError('bad request', { violations: [{ place, name, value, fault }] })
    const { body } = endpoint.protocol.render(error, world.plaza.context.naming)
    assert.notEqual(reply.text, body)
  }
  assert.doesNotMatch(
    reply.text,
    /is not between|must be between|is not one of|must be one of|must be of type/,
  )
}
