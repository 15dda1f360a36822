import { type TSchema, Type } from 'typebox'
import type { Naming } from '../../platform/http/contract.ts'
import { type JsonSchema, renamedSchema } from '../../platform/http/renamed-schema.ts'
import { plain, type Schema } from '../../platform/http/schema.ts'
import { neutralVocabulary } from '../../platform/http/vocabulary.ts'
import { adsCodes } from '../../platform/protocols/ads/codes.ts'
import { wordsIn } from '../../platform/protocols/catalogue.ts'
import { ParameterError, type ProblemType, problemTypes } from '../../platform/protocols/problem/types.ts'
import { type ComponentSchemas, type Documented, type Json, schemaRef } from './schemas.ts'

/** The schemas of errors of one document, by their names. */
export function errorSchemas(
  document: Documented,
  naming: Naming,
  schemas: ComponentSchemas,
): Record<string, JsonSchema> {
  if (document === 'ads') return adsSchemas(naming)
  const problems = {
    ParameterError: parameterError,
    ...Object.fromEntries(problemTypes.map((one) => [one.component, problemComponent(one, naming, schemas)])),
  }
  if (document === 'admin') return problems
  return {
    ...problems,
    LegacyErrors: legacyErrors,
    LegacyError: legacyError,
    Oauth2Error: oauth2Error,
  }
}

/** The value of `type`. */
const typeUri = ({ slug }: ProblemType, { vocabulary, problemBase }: Naming) =>
  slug === undefined ? 'about:blank' : `${problemBase}/2/problems/${vocabulary.name(slug)}`

/** One of several subtypes, with `type` as discriminator. */
export function problemChoice(types: readonly ProblemType[], naming: Naming): JsonSchema {
  const [first, second] = types
  if (first && !second) return schemaRef(first.component)
  return {
    oneOf: types.map(({ component }) => schemaRef(component)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        types.map((one) => [typeUri(one, naming), `#/components/schemas/${one.component}`]),
      ),
    },
  }
}

/** The members of every Problem are those of RFC 7807, so no vocabulary changes them. */
function problemComponent(type: ProblemType, naming: Naming, schemas: ComponentSchemas): JsonSchema {
  const { vocabulary } = naming
  const fields = plain(Type.Object({ ...type.fields } as Record<string, TSchema>))
  const shape = schemas.of({ ...fields, properties: withoutErrors(fields) })
  const errors = fields.properties?.errors
  return {
    type: 'object',
    description: vocabulary.text(type.description),
    required: ['type', 'title', ...((shape.required as string[] | undefined) ?? [])],
    properties: {
      type:
        type.slug === undefined
          ? { type: 'string', const: 'about:blank' }
          : {
              type: 'string',
              format: 'uri',
              pattern: `/2/problems/${vocabulary.name(type.slug)}$`,
              examples: [typeUri(type, naming)],
            },
      title: { type: 'string', ...(type.title !== undefined && { const: vocabulary.text(type.title) }) },
      detail: { type: 'string' },
      status: { type: 'integer', minimum: 100, maximum: 599 },
      ...(errors && { errors: { type: 'array', minItems: 1, items: schemaRef('ParameterError') } }),
      ...(shape.properties as Json | undefined),
    },
  }
}

const parameterError = renamedSchema(ParameterError, neutralVocabulary)

function withoutErrors({ properties = {} }: Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'errors'))
}

const errorsOf = (item: string): JsonSchema => ({
  type: 'object',
  required: ['errors'],
  properties: { errors: { type: 'array', minItems: 1, items: schemaRef(item) } },
})

const legacyErrors = errorsOf('LegacyError')

const legacyError: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'Machine-readable error code.' },
    label: { type: 'string', description: 'Name of the error code, if it has one.' },
    message: { type: 'string', description: 'Human-readable message.' },
  },
}

const oauth2Error: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Machine-readable error code (RFC 6749 section 5.2).' },
    error_description: { type: 'string', description: 'Human-readable message.' },
  },
}

/** A batch returns the errors of each of its operations; everything else, those of the request. */
const adsSchemas = ({ vocabulary }: Naming): Record<string, JsonSchema> => ({
  AdsErrors: withRequest('errors', { type: 'array', minItems: 1, items: schemaRef('AdsError') }),
  AdsOperationErrors: withRequest('operation_errors', {
    type: 'array',
    description:
      'One list per operation, in the order of the operations. The list is empty for an operation without errors.',
    items: { type: 'array', items: schemaRef('AdsError') },
  }),
  AdsError: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: schemaRef('AdsErrorCode'),
      message: { type: 'string', description: 'Human-readable message.' },
      parameter: { type: 'string', description: 'The invalid parameter.' },
      attribute: { type: 'string', description: 'The attribute of the entity that breaks a rule.' },
    },
  },
  AdsErrorCode: {
    type: 'string',
    description: 'Machine-readable error code.',
    enum: [
      ...new Set([
        ...Object.values(wordsIn(vocabulary)).map(({ ads }) => ads.code),
        ...Object.keys(adsCodes).map(vocabulary.code),
      ]),
    ].sort(),
  },
})

const withRequest = (name: string, errors: JsonSchema): JsonSchema => ({
  type: 'object',
  required: [name, 'request'],
  properties: { [name]: errors, request: { description: 'The request as Plaza parsed it.' } },
})
