import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import type { PlazaEndpoint as Endpoint } from '../../src/identity/auth/endpoint.ts'
import type { AuthKind } from '../../src/identity/auth/principal.ts'
import { bearerOf } from '../../src/identity/tokens/bearer.ts'
import { jsonText } from '../../src/platform/common/exact-json.ts'
import { encode } from '../../src/platform/common/percent.ts'
import type { Protocol } from '../../src/platform/http/contract.ts'
import { ApiError, type Violation } from '../../src/platform/http/errors.ts'
import type { Pair } from '../../src/platform/http/input/form.ts'
import { type JsonSchema, renamedSchema } from '../../src/platform/http/renamed-schema.ts'
import { compileReply } from '../../src/platform/http/reply.ts'
import { plain, type Schema } from '../../src/platform/http/schema.ts'
import type { Vocabulary } from '../../src/platform/http/vocabulary.ts'
import type { Cause } from '../../src/platform/protocols/catalogue.ts'
import { recipes } from './recipes/recipes.ts'
import type { Guest, Pen, Reply, World } from './world.ts'

/** A request in the words of the vocabulary, which tests may still change. */
export interface Draft {
  params: Record<string, string>
  query: Pair[]
  form: Pair[]
  json: unknown
  headers: Pair[]
  pen: Pen | undefined
  /** Instead of the form or the JSON. */
  body?: Buffer | string
  contentType?: string | undefined
}

/** A valid call of an endpoint, by a caller of one kind. */
export async function draft(world: World, endpoint: Endpoint, kind: AuthKind, user?: Guest): Promise<Draft> {
  const recipe = recipes[endpoint.id]
  if (!recipe) throw new Error(`test/conformance/recipes/ has no recipe for ${endpoint.id}`)
  const caller = user ?? (await world.newUser())
  const good = await recipe(world, { kind, user: caller })
  const { vocabulary } = world
  const pairs = (values: Record<string, string> = {}, schema: Schema): Pair[] =>
    Object.entries(values).map(([name, value]) => [
      vocabulary.name(name),
      renamedValue(schema.properties?.[name], value, vocabulary),
    ])
  return {
    params: good.params ?? {},
    query: pairs(good.query, plain(endpoint.query)),
    form: pairs(good.form, plain(endpoint.form)),
    json:
      endpoint.body && good.json !== undefined
        ? renamedBody(endpoint.body, good.json, vocabulary)
        : undefined,
    headers: [...(good.headers ?? [])],
    pen: good.pen ?? (kind === 'user' ? await world.grant(caller) : undefined),
  }
}

function renamedValue(schema: Schema | undefined, value: string, vocabulary: Vocabulary): string {
  if (schema?.enum) return vocabulary.name(value)
  return schema?.items?.enum ? value.split(',').map(vocabulary.name).join(',') : value
}

/**
 * The schema of a body that its handler validates is not compiled, so its names and choices are
 * recognized by their form.
 */
function renamedBody(schema: NonNullable<Endpoint['body']>, json: unknown, vocabulary: Vocabulary): unknown {
  if (!plain(schema).raw) return JSON.parse(compileReply(schema, vocabulary)(json))
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return /^[A-Z][A-Z_]+$/.test(value) ? vocabulary.name(value) : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(rename)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [vocabulary.name(name), rename(member)]),
    )
  }
  return rename(json)
}

/** Who signs, rightly or not. Undefined: no one. */
export type Signing = { kind: AuthKind; atSeconds?: number; wrongSecret?: boolean } | undefined

/** The kind that a test uses if the kind does not matter. */
export const anyKind = ({ auth }: Endpoint): AuthKind => auth[0] ?? 'none'

export async function call(world: World, endpoint: Endpoint, one: Draft, signing: Signing): Promise<Reply> {
  const header = signing && (await authorization(world, endpoint, one, signing))
  return deliver(world, endpoint, one, header === undefined ? [] : [header])
}

/** Sends a draft with these Authorization values. */
export function deliver(
  world: World,
  endpoint: Endpoint,
  one: Draft,
  authorizations: readonly string[],
): Promise<Reply> {
  const { body, type } = bodyOf(one)
  return world.send(endpoint.host, {
    method: endpoint.method,
    target: targetOf(world, endpoint, one),
    headers: [
      ...authorizations.map((value): Pair => ['authorization', value]),
      ...(type === undefined ? [] : [['content-type', type] satisfies Pair]),
      ...one.headers,
    ],
    body,
  })
}

export function targetOf({ vocabulary }: World, endpoint: Endpoint, { params, query }: Draft): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [vocabulary.name(name), value]))
  const path = vocabulary
    .path(endpoint.path)
    .replace(/\{([^}]+)\}/g, (_, name) => encode(names.get(name) ?? params[name] ?? ''))
  return query.length === 0 ? path : `${path}?${pairsText(query)}`
}

const pairsText = (pairs: readonly Pair[]) =>
  pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')

const FORM = 'application/x-www-form-urlencoded'

function bodyOf(one: Draft): { body: Buffer | string | undefined; type: string | undefined } {
  const { body, json, form } = one
  const has = 'contentType' in one
  if (body !== undefined) return { body, type: has ? one.contentType : 'application/json' }
  if (json !== undefined)
    return { body: JSON.stringify(json), type: has ? one.contentType : 'application/json' }
  if (form.length > 0) return { body: pairsText(form), type: FORM }
  return { body: undefined, type: undefined }
}

/** The Authorization value; undefined if the kind has none. */
export async function authorization(
  world: World,
  endpoint: Endpoint,
  one: Draft,
  { kind, atSeconds, wrongSecret }: NonNullable<Signing>,
): Promise<string | undefined> {
  const { app, plaza } = world
  switch (kind) {
    case 'none':
      return undefined
    case 'app': {
      const now = (await plaza.context.credentials.appById(app.id)) ?? app
      const bearer = await bearerOf(now, plaza.context)
      return `Bearer ${wrongSecret ? `A${bearer}` : bearer}`
    }
    case 'basic':
      return basicHeader(app.consumerKey, app.consumerSecret + (wrongSecret ? 'x' : ''))
    case 'client':
    case 'pending':
    case 'user': {
      const isForm = one.body === undefined && one.json === undefined
      return world.sign(endpoint.host, {
        method: endpoint.method,
        target: targetOf(world, endpoint, one),
        form: isForm ? one.form : [],
        ...(kind !== 'client' && { pen: one.pen }),
        ...(wrongSecret && { consumerSecret: 'wrong' }),
        ...(atSeconds !== undefined && { atSeconds }),
      })
    }
  }
}

/** The reply must be exactly this error. */
export function assertRejected(
  world: World,
  protocol: Protocol,
  reply: Reply,
  expected: ApiError | Cause,
): void {
  const error = typeof expected === 'string' ? new ApiError(expected) : expected
  const rendered = protocol.render(error, world.plaza.context.naming)
  assert.deepEqual(
    { status: reply.status, type: reply.headers['content-type'], body: withoutRequest(protocol, reply.text) },
    { status: rendered.status, type: rendered.contentType, body: withoutRequest(protocol, rendered.body) },
  )
  assert.equal(reply.headers['cache-control'], 'no-cache, no-store, max-age=0')
  assert.match(String(reply.headers[world.vocabulary.header('x-transaction-id')]), /^[0-9a-f]{16}$/)
}

/** The advertising protocol repeats the parsed request, which is not part of the error. */
function withoutRequest({ name }: Protocol, text: string): unknown {
  if (name !== 'ads') return text
  const { request, ...rest } = JSON.parse(text) as { request: unknown }
  assert.ok(request, 'the request is repeated')
  return rest
}

/** The error of invalid parameters, in the format of the endpoint. */
export const errorOf = ({ onInvalid }: Endpoint, violations: readonly Violation[]) =>
  onInvalid ? new ApiError(onInvalid) : new ApiError('bad request', { violations })

/** The reply must be a success whose body matches the declared schema and contains nothing else. */
export function assertSucceeded(world: World, endpoint: Endpoint, reply: Reply): void {
  if (endpoint.replyKind === 'page' || endpoint.replyKind === 'file') {
    assert.ok(reply.status < 400, `${reply.status} ${reply.text}`)
    return
  }
  assert.equal(reply.status, endpoint.status, reply.text)
  assert.equal(reply.headers['cache-control'], 'no-cache, no-store, max-age=0')
  assert.match(String(reply.headers[world.vocabulary.header('x-transaction-id')]), /^[0-9a-f]{16}$/)
  if (endpoint.replyKind === 'empty') {
    assert.deepEqual([reply.text, reply.headers['content-type']], ['', undefined])
    return
  }
  if (endpoint.replyKind === 'form') {
    assert.match(String(reply.headers['content-type']), /^application\/x-www-form-urlencoded/)
    const names = [...new URLSearchParams(reply.text).keys()]
    assert.deepEqual(names, Object.keys(replySchema(world, endpoint).properties as object))
    return
  }
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  const validate = validatorOf(world, endpoint)
  if (endpoint.replyKind === 'stream') {
    for (const line of reply.text.split('\r\n').filter((one) => one !== ''))
      assert.ok(validate(JSON.parse(line)), `${line}: ${world.ajv.errorsText(validate.errors)}`)
    return
  }
  assert.ok(validate(JSON.parse(reply.text)), `${reply.text}: ${world.ajv.errorsText(validate.errors)}`)
}

const replySchema = (world: World, endpoint: Endpoint) =>
  closed(JSON.parse(jsonText(renamedSchema(endpoint.reply, world.vocabulary))))

const validators = new WeakMap<World, Map<Endpoint | string, ValidateFunction>>()

/**
 * Compiled once for each endpoint of a world and shared by endpoints with the same reply: compiling
 * takes longer than most requests.
 */
function validatorOf(world: World, endpoint: Endpoint): ValidateFunction {
  const known = validators.get(world) ?? new Map<Endpoint | string, ValidateFunction>()
  validators.set(world, known)
  const found = known.get(endpoint)
  if (found) return found
  const schema = replySchema(world, endpoint)
  const text = JSON.stringify(schema)
  const validate = known.get(text) ?? world.ajv.compile(schema)
  known.set(text, validate).set(endpoint, validate)
  return validate
}

/** The schema without additional members, at any depth. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema }
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(properties &&
      Object.keys(properties).length > 0 && {
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, closed(member)]),
        ),
      }),
  }
}
