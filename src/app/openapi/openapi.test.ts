import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { jsonText } from '../../platform/common/exact-json.ts'
import { component, nullable } from '../../platform/http/schema.ts'
import { neutralVocabulary, readVocabulary, type Vocabulary } from '../../platform/http/vocabulary.ts'
import { problemTypes } from '../../platform/protocols/problem/types.ts'
import { documentedEndpoints, endpoints } from '../endpoints.ts'
import { openApi } from './openapi.ts'
import { ComponentSchemas, DOCUMENTS } from './schemas.ts'

type Json = Record<string, unknown>

const example = new URL('../../../docs/vocabulary.example.json', import.meta.url)
const vocabularies: Record<string, Vocabulary> = {
  'neutral words': neutralVocabulary,
  'the example vocabulary': readVocabulary(readFileSync(example, 'utf8')),
}

/** The documents of all endpoints, each of which takes a while to make. */
const documents = {
  core: openApi('core', endpoints, { version: '1' }),
  ads: openApi('ads', endpoints, { version: '1' }),
}

/** More examples than this are in each document. */
const EXAMPLES = { core: 50, ads: 50, admin: 5 }

for (const [name, vocabulary] of Object.entries(vocabularies)) {
  for (const which of DOCUMENTS) {
    describe(`the ${which} document in ${name}`, () => {
      const document: Json = JSON.parse(
        jsonText(openApi(which, documentedEndpoints, { version: '1.2.3', vocabulary })),
      )

      test('is valid OpenAPI 3.1', async () => {
        const result = await new Validator().validate(structuredClone(document))
        assert.deepEqual(result, { valid: true })
      })

      test('every example matches its schema', () => {
        const ajv = ajvOf(document)
        let count = 0
        for (const { schema, values } of examplesOf(document)) {
          const validate = ajv.compile(inDocument(schema))
          for (const value of values) {
            assert.ok(validate(value), `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`)
            count++
          }
        }
        assert.ok(count > EXAMPLES[which], String(count))
      })

      test('each operation has an id of its own', () => {
        const ids = operationsOf(document).map(({ operationId }) => operationId)
        assert.equal(new Set(ids).size, ids.length)
      })
    })
  }
}

for (const which of ['core', 'ads'] as const) {
  const document = documents[which]

  test(`the ${which} document has a name for every object and every set of words that stands in two places`, () => {
    const found = new Map<string, string[]>()
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { properties, enum: words, description: _, ...rest } = node as Json & { enum?: unknown[] }
      const isComponent = /^\/components\/schemas\/[^/]+$/.test(path)
      if ((properties || (words && words.length > 2)) && !isComponent) {
        const key = jsonText({ ...rest, properties, enum: words })
        found.set(key, [...(found.get(key) ?? []), path])
      }
      for (const [name, child] of Object.entries(node))
        if (!['example', 'examples'].includes(name)) walk(child, `${path}/${name}`)
    }
    walk(document, '')
    assert.ok(found.size > 10)
    assert.deepEqual(
      [...found.values()].filter((paths) => paths.length > 1),
      [],
    )
  })

  test(`every body of the ${which} document is a named schema`, () => {
    const bodies: unknown[] = []
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { content } = node as { content?: Record<string, { schema: object }> }
      if (content && !('text/html' in content) && !('application/octet-stream' in content))
        bodies.push(...Object.values(content).map(({ schema }) => Object.keys(schema)))
      for (const child of Object.values(node)) walk(child)
    }
    walk([document.paths, (document.components as Json).responses])
    // Bytes have a type and a format.
    const known = ['$ref', 'oneOf,discriminator', 'anyOf', 'type', 'type,format']
    const isNamed = (keys: unknown) => known.includes(String(keys))
    assert.ok(bodies.length > 20)
    assert.deepEqual(
      bodies.filter((keys) => !isNamed(keys)),
      [],
    )
  })
}

test('the document of the admin API has the names that the API itself has under a vocabulary', () => {
  const inVocabulary = openApi('admin', documentedEndpoints, {
    version: '1',
    vocabulary: readVocabulary(readFileSync(example, 'utf8')),
    problemBase: 'https://problems.example',
  })
  assert.deepEqual(inVocabulary, openApi('admin', documentedEndpoints, { version: '1' }))
})

test('the document of the advertising API has less than one and a half mebibytes', () => {
  const text = jsonText(documents.ads, 2)
  assert.ok(Buffer.byteLength(text) < 1.5 * 1024 * 1024)
})

test('documents show times as replies do', () => {
  const texts = [jsonText(documents.core, 2), jsonText(documents.ads, 2)]
  // The reply to a segment has seconds, as its clients expect.
  const others = texts.map((text) => text.replaceAll('"expires_at": 1767225600', ''))
  for (const text of others) assert.doesNotMatch(text, /"[a-z_]+_(at|time)": *[0-9]/)
  assert.ok(texts.some((text) => text.includes('"created_at": "2026-02-03T04:05:06Z"')))
})

test('two schemas cannot have one name', () => {
  const schemas = new ComponentSchemas(neutralVocabulary)
  schemas.of(component('Thing', Type.Object({ id: Type.String() })))
  schemas.of(component('Thing', Type.Object({ id: Type.String() })))
  assert.throws(() => schemas.of(component('Thing', Type.Object({ id: Type.Integer() }))), /called Thing/)
})

test('what a member means stands beside the reference to its schema', () => {
  const schemas = new ComponentSchemas(neutralVocabulary)
  const colour = component(
    'Colour',
    Type.Enum(['RED', 'BLUE'], { description: 'Of the roof.', default: 'RED' }),
  )
  assert.deepEqual(schemas.of(nullable(colour)), {
    anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }],
    description: 'Of the roof.',
    default: 'RED',
  })
  assert.deepEqual(schemas.all(), { Colour: { type: 'string', enum: ['RED', 'BLUE'] } })
})

test('hidden endpoints are left out', () => {
  const [first, ...others] = endpoints
  assert.ok(first)
  const document = openApi('core', [{ ...first, hidden: true }, ...others], { version: '1' })
  assert.ok(!operationsOf(document).some(({ operationId }) => operationId === first.id))
})

test('the ids of operations are those that clients were generated with', () => {
  const ids = (which: 'core' | 'ads') => operationsOf(documents[which]).map(({ operationId }) => operationId)
  for (const id of [
    'verifyCredentials',
    'uploadMedia',
    'listWebhooks',
    'createWebhook',
    'validateWebhook',
    'deleteWebhook',
    'bearerToken',
  ])
    assert.ok(ids('core').includes(id), id)
  for (const id of [
    'listLineItems',
    'createCampaign',
    'batchLineItems',
    'createProductSet',
    'estimateAudience',
  ])
    assert.ok(ids('ads').includes(id), id)
})

test('every subtype of Problem is a component with its required members', () => {
  const { components } = documents.core as {
    components: { schemas: Record<string, { required: string[]; properties: Json }> }
  }
  assert.equal(problemTypes.length, 20)
  for (const { component } of problemTypes)
    assert.ok(components.schemas[component]?.required.includes('type'))
  assert.deepEqual(components.schemas.ResourceNotFoundProblem?.required, [
    'type',
    'title',
    'parameter',
    'value',
    'resource_id',
    'resource_type',
  ])
})

test('no component matches the Problems of another', () => {
  const document = documents.core
  const ajv = ajvOf(document)
  const validators = problemTypes.map((type) => ({
    type,
    validate: ajv.compile(inDocument({ $ref: `#/components/schemas/${type.component}` })),
  }))
  for (const { slug, title = 'Title' } of problemTypes.filter(({ slug }) => slug !== undefined)) {
    const told = { type: `https://any.example/2/problems/${slug}`, title }
    const matching = validators.filter(({ validate, type }) => {
      const onlyMembersMissing = validate.errors?.every(({ keyword }) => keyword === 'required')
      return type.slug !== slug && (validate(told) || onlyMembersMissing)
    })
    assert.deepEqual(matching, [])
  }
})

function ajvOf(document: Json): Ajv2020 {
  // Optimizing the compiled code takes longer than the few examples that it checks.
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  return ajv
}

/** A schema of the document, with all referenced schemas. */
function inDocument(schema: unknown): Json {
  return JSON.parse(jsonText(schema).replaceAll('"#/', '"document#/'))
}

const operationsOf = (document: Json) =>
  Object.values(document.paths as Record<string, Record<string, Json>>).flatMap((item) => Object.values(item))

/** Every media type of the document, with its examples. */
function examplesOf(document: Json): { schema: unknown; values: unknown[] }[] {
  const found: { schema: unknown; values: unknown[] }[] = []
  function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    const { schema, example, examples } = node as Json
    if (typeof schema === 'object' && (example !== undefined || examples !== undefined)) {
      const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>)
      found.push({
        schema,
        values: [...(example === undefined ? [] : [example]), ...named.map(({ value }) => value)],
      })
    }
    for (const child of Object.values(node)) walk(child)
  }
  walk(document)
  return found
}
