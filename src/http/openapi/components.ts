import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Speech } from '../../protocols/dialect.ts'
import type { AuthKind, Endpoint } from '../endpoint.ts'
import { authWords } from '../endpoint.ts'
import type { ProblemType } from '../../protocols/problem/types.ts'
import { problemTypes } from '../../protocols/problem/types.ts'
import type { Schema } from '../schema.ts'
import { plain } from '../schema.ts'
import type { JsonSchema } from '../spoken.ts'
import { spokenSchema } from '../spoken.ts'
import { neutralVocabulary } from '../vocabulary.ts'

export type Json = Record<string, unknown>

/** The parts of a document that its operations refer to. */
export function componentsOf(document: 'core' | 'ads', endpoints: readonly Endpoint[], speech: Speech): Json {
  return {
    schemas: document === 'core' ? coreSchemas(speech) : { AdsErrors: adsErrors },
    headers: Object.fromEntries(HEADERS.map(([name, header]) => [speech.vocabulary.header(name), header])),
    securitySchemes: securitySchemes(endpoints),
  }
}

/** What stands in `type`. */
export const typeUri = ({ slug }: ProblemType, { vocabulary, problemBase }: Speech) =>
  slug === undefined ? 'about:blank' : `${problemBase}/2/problems/${vocabulary.name(slug)}`

export const HEADERS: readonly [string, Json][] = [
  ['x-transaction-id', { description: 'Names the request in the log.', schema: { type: 'string' } }],
  [
    'x-access-level',
    {
      description: 'What the access token may do.',
      schema: { type: 'string', enum: ['read', 'read-write', 'read-write-directmessages'] },
    },
  ],
  ['x-rate-limit-limit', { description: 'Calls of one window.', schema: { type: 'integer' } }],
  ['x-rate-limit-remaining', { description: 'Calls left in the window.', schema: { type: 'integer' } }],
  [
    'x-rate-limit-reset',
    { description: 'When the window ends: seconds since the epoch.', schema: { type: 'integer' } },
  ],
]

const oauth = (name: string, key: string) => ({
  name,
  scheme: {
    type: 'http',
    scheme: 'OAuth',
    description: `OAuth 1.0a (RFC 5849), HMAC-SHA1, signed with ${key}.`,
  },
})

export const SCHEMES: Record<Exclude<AuthKind, 'none'>, { name: string; scheme: Json }> = {
  app: {
    name: 'AppOnlyBearer',
    scheme: { type: 'http', scheme: 'bearer', description: `${authWords.app}: the app's bearer.` },
  },
  user: oauth('UserToken', "the app's key and an access token"),
  client: oauth('AppKey', "the app's key alone"),
  pending: oauth('RequestToken', "the app's key and a request token"),
  basic: {
    name: 'AppKeyAndSecret',
    scheme: { type: 'http', scheme: 'basic', description: "The app's key and secret, percent-encoded." },
  },
}

function securitySchemes(endpoints: readonly Endpoint[]): Json {
  const used = new Set(endpoints.flatMap(({ auth }) => auth))
  return Object.fromEntries(
    Object.entries(SCHEMES)
      .filter(([kind]) => used.has(kind as AuthKind))
      .map(([, { name, scheme }]) => [name, scheme]),
  )
}

const coreSchemas = (speech: Speech): Json => ({
  ...Object.fromEntries(problemTypes.map((one) => [one.component, problemComponent(one, speech)])),
  LegacyErrors: legacyErrors,
})

/** The members that every Problem has are those of RFC 7807: no vocabulary changes them. */
function problemComponent(type: ProblemType, speech: Speech): JsonSchema {
  const { vocabulary } = speech
  const fields = plain(Type.Object({ ...type.fields } as Record<string, TSchema>))
  const spoken = spokenSchema({ ...fields, properties: withoutErrors(fields) }, vocabulary)
  const errors = fields.properties?.errors
  return {
    type: 'object',
    description: vocabulary.text(type.description),
    required: ['type', 'title', ...((spoken.required as string[] | undefined) ?? [])],
    properties: {
      type:
        type.slug === undefined
          ? { type: 'string', const: 'about:blank' }
          : {
              type: 'string',
              format: 'uri',
              pattern: `/2/problems/${vocabulary.name(type.slug)}$`,
              examples: [typeUri(type, speech)],
            },
      title: { type: 'string', ...(type.title !== undefined && { const: vocabulary.text(type.title) }) },
      detail: { type: 'string' },
      status: { type: 'integer', minimum: 100, maximum: 599 },
      ...(errors && { errors: spokenSchema(errors, neutralVocabulary) }),
      ...(spoken.properties as Json | undefined),
    },
  }
}

function withoutErrors({ properties = {} }: Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'errors'))
}

const errorsOf = (item: Json, required: readonly string[], more: Json = {}): JsonSchema => ({
  type: 'object',
  required: ['errors', ...Object.keys(more)],
  properties: {
    errors: { type: 'array', minItems: 1, items: { type: 'object', required, properties: item } },
    ...more,
  },
})

const legacyErrors = errorsOf(
  { code: { type: 'integer' }, label: { type: 'string' }, message: { type: 'string' } },
  ['code', 'message'],
)

const adsError = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'For programs.' },
    message: { type: 'string', description: 'For people.' },
    parameter: { type: 'string', description: 'The parameter that is wrong.' },
    attribute: { type: 'string', description: 'The attribute of the entity that a rule turns down.' },
  },
}

/** A batch tells what is wrong with each of its operations; everything else, what is wrong with the request. */
const adsErrors: JsonSchema = {
  type: 'object',
  required: ['request'],
  anyOf: [{ required: ['errors'] }, { required: ['operation_errors'] }],
  properties: {
    errors: { type: 'array', minItems: 1, items: adsError },
    operation_errors: { type: 'array', items: { type: 'array', items: adsError } },
    request: { description: 'How the request was understood.' },
  },
}
