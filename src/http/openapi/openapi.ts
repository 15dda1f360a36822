import type { TObject } from 'typebox'
import { adsCodes } from '../../protocols/ads/codes.ts'
import type { Speech } from '../../protocols/dialect.ts'
import type { Endpoint, Host } from '../endpoint.ts'
import type { Cause } from '../../protocols/catalogue.ts'
import { words, wordsIn } from '../../protocols/catalogue.ts'
import { parseLimit } from '../limits.ts'
import type { Json } from './components.ts'
import { componentsOf, HEADERS, SCHEMES, typeUri } from './components.ts'
import type { ProblemType } from '../../protocols/problem/types.ts'
import { problemType } from '../../protocols/problem/types.ts'
import { causesOf, codesOf, sampleOf, statusOf } from '../refusals.ts'
import { compileReply } from '../reply.ts'
import type { Schema } from '../schema.ts'
import { plain } from '../schema.ts'
import type { JsonSchema } from '../spoken.ts'
import { spokenSchema } from '../spoken.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { neutralVocabulary } from '../vocabulary.ts'

/** The two documents; the sandbox is a second server of the advertising one. */
export type Documented = 'core' | 'ads'

export interface DocumentOptions {
  /** Of the program. */
  version: string
  vocabulary?: Vocabulary
  /** Of the servers: where a Plaza listens that was started without settings. */
  servers?: Readonly<Partial<Record<Host, string>>>
  problemBase?: string
}

const SERVERS: Readonly<Partial<Record<Host, string>>> = {
  core: 'https://127.0.0.1:8443',
  ads: 'https://127.0.0.1:8444',
  sandbox: 'https://127.0.0.1:8445',
}

const TITLES = { core: 'Plaza core API and OAuth', ads: 'Plaza advertising API' }
const HOSTS = { core: ['core'], ads: ['ads', 'sandbox'] } as const

/** The endpoints of one document, in the order of their paths. Hidden ones are left out. */
function documented(document: Documented, endpoints: readonly Endpoint[]): Endpoint[] {
  const hosts: readonly Host[] = HOSTS[document]
  return endpoints
    .filter(({ host, hidden }) => hosts.includes(host) && !hidden)
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The area of an endpoint, for its tag and its page: `webhooks` of `/2/webhooks/{webhook_id}`. */
export function areaOf({ host, path }: Pick<Endpoint, 'host' | 'path'>): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (host === 'core') return segments[0] === '2' ? (segments[1] ?? 'core') : 'oauth'
  // A batch belongs to what it is about.
  const own = segments[1] === 'batch' ? segments.toSpliced(1, 1) : segments
  const rest = own[1] === 'accounts' && own.length > 3 ? own.slice(3) : own.slice(1)
  return (rest[0] ?? 'accounts').replaceAll('_', '-')
}

/** The OpenAPI 3.1 document of the core API or the advertising API, as it is declared. */
export function openApi(
  document: Documented,
  endpoints: readonly Endpoint[],
  options: DocumentOptions,
): Json {
  const vocabulary = options.vocabulary ?? neutralVocabulary
  const servers = { ...SERVERS, ...options.servers }
  const speech: Speech = { vocabulary, problemBase: options.problemBase ?? servers.core ?? '' }
  const listed = documented(document, endpoints)
  return {
    openapi: '3.1.0',
    info: { title: TITLES[document], version: options.version, license: { name: 'MIT', identifier: 'MIT' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: HOSTS[document].map((host) => ({
      url: servers[host],
      description: host === 'sandbox' ? 'Sandbox' : 'Production',
    })),
    tags: [...new Set(listed.map(areaOf))].sort().map((name) => ({ name })),
    paths: pathsOf(listed, speech, servers),
    components: componentsOf(document, listed, speech),
  }
}

function pathsOf(endpoints: readonly Endpoint[], speech: Speech, servers: DocumentOptions['servers']): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const templates = [endpoint.path, ...endpoint.aliases].flatMap(speech.vocabulary.paths)
    for (const [index, path] of [...new Set(templates)].entries()) {
      const item = paths[path] ?? {}
      item[endpoint.method.toLowerCase()] = {
        ...operationOf(endpoint, speech),
        operationId: index === 0 ? endpoint.id : `${endpoint.id}${index + 1}`,
        ...(index > 0 && { 'x-alias-of': endpoint.id }),
        ...(endpoint.host === 'sandbox' && { servers: [{ url: servers?.sandbox }] }),
      }
      paths[path] = item
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint, speech: Speech): Json {
  const { vocabulary } = speech
  const body = requestBodyOf(endpoint, vocabulary)
  const parameters = parametersOf(endpoint, vocabulary)
  const limits = limitsOf(endpoint)
  return {
    operationId: endpoint.id,
    summary: vocabulary.text(endpoint.summary),
    description: vocabulary.text(endpoint.description),
    tags: [areaOf(endpoint)],
    security: endpoint.auth.map((kind) => (kind === 'none' ? {} : { [SCHEMES[kind].name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successOf(endpoint, vocabulary), ...refusalsOf(endpoint, speech) },
    ...(limits.length > 0 && { 'x-rate-limits': limits }),
    'x-source': endpoint.source,
  }
}

/** The documented limits of an endpoint, pool by pool. */
export function limitsOf({ limits }: Endpoint) {
  return Object.entries(limits).map(([pool, text]) => ({ pool, ...parseLimit(text) }))
}

function parametersOf(endpoint: Endpoint, vocabulary: Vocabulary): Json[] {
  const inBody = endpoint.method !== 'GET'
  return [
    ...placeOf(endpoint.pathParams, 'path', vocabulary),
    ...placeOf(endpoint.query, 'query', vocabulary),
    // What a form body may hold is required somewhere, not in the query.
    ...placeOf(endpoint.form, 'query', vocabulary).map((one) => (inBody ? { ...one, required: false } : one)),
  ]
}

function placeOf(object: TObject, place: 'path' | 'query', vocabulary: Vocabulary): Json[] {
  const { properties = {}, required = [] } = plain(object)
  return Object.entries(properties).map(([neutral, schema]) => {
    const { description, ...spoken } = spokenSchema(schema, vocabulary)
    return {
      name: vocabulary.name(neutral),
      in: place,
      required: place === 'path' || required.includes(neutral),
      ...(description !== undefined && { description }),
      ...(spoken.type === 'array' && { style: 'form', explode: false }),
      schema: spoken,
    }
  })
}

function requestBodyOf(endpoint: Endpoint, vocabulary: Vocabulary): Json | undefined {
  const content: Json = {}
  const { example } = endpoint
  if (endpoint.body) {
    content['application/json'] = {
      schema: spokenSchema(endpoint.body, vocabulary),
      ...(example?.body !== undefined && {
        example: JSON.parse(compileReply(endpoint.body, vocabulary)(example.body)),
      }),
    }
  }
  const takesForm = endpoint.method !== 'GET' && Object.keys(endpoint.form.properties).length > 0
  if (takesForm) {
    const schema = spokenSchema(openForm(endpoint), vocabulary)
    content['application/x-www-form-urlencoded'] = { schema }
    if (endpoint.multipart) content['multipart/form-data'] = { schema: withFile(schema, endpoint.multipart) }
  }
  if (Object.keys(content).length === 0) return undefined
  return { required: endpoint.body !== undefined, content }
}

const withFile = (schema: Json, { file }: { file: string }): Json => ({
  ...schema,
  properties: { ...(schema.properties as Json), [file]: { type: 'string', format: 'binary' } },
})

/** A form may hold more than is declared, and less: parameters may stand in the query as well. */
const openForm = ({ form }: Endpoint): Schema => ({
  type: 'object',
  properties: plain(form).properties ?? {},
})

function successOf(endpoint: Endpoint, vocabulary: Vocabulary): Json {
  const headers = headersOf(endpoint, vocabulary)
  const content = successContent(endpoint, vocabulary)
  const others = Object.entries(endpoint.otherStatuses).map(([status, description]) => [
    status,
    { description: vocabulary.text(description), headers, ...(status !== '204' && { content }) },
  ])
  return {
    [endpoint.status]: { description: 'Success.', headers, content },
    ...Object.fromEntries(others),
  }
}

function successContent({ replyKind, reply, example }: Endpoint, vocabulary: Vocabulary): Json {
  switch (replyKind) {
    case 'json':
      return {
        'application/json': {
          schema: spokenSchema(reply, vocabulary),
          ...(example && { example: JSON.parse(compileReply(reply, vocabulary)(example.reply)) }),
        },
      }
    case 'form':
      return { 'application/x-www-form-urlencoded': { schema: spokenSchema(reply, vocabulary) } }
    case 'page':
      return { 'text/html': { schema: { type: 'string' } } }
  }
}

/** Callers who are not let in are not counted. */
const BEFORE_COUNTING: ReadonlySet<number> = new Set([401, 403])

/** Refusals by status: which causes, in what words, with the body of each as an example. */
function refusalsOf(endpoint: Endpoint, speech: Speech): Json {
  const byStatus = new Map<number, Cause[]>()
  for (const cause of causesOf(endpoint)) {
    const status = statusOf(cause, endpoint.dialect)
    byStatus.set(status, [...(byStatus.get(status) ?? []), cause])
  }
  for (const code of codesOf(endpoint)) {
    const status = adsCodes[code]
    if (!byStatus.has(status)) byStatus.set(status, [])
  }
  const limited = statusOf(endpoint.overLimit, endpoint.dialect)
  return Object.fromEntries(
    [...byStatus].map(([status, causes]) => [
      status,
      {
        description: describeCauses(causes, endpoint, status, speech.vocabulary),
        headers: headersOf(endpoint, speech.vocabulary, status === limited || !BEFORE_COUNTING.has(status)),
        content: refusalContent(causes, endpoint, speech),
      },
    ]),
  )
}

/** `invalid token (89), could not authenticate (32)`, and the endpoint's reason words where they may stand. */
function describeCauses(
  causes: readonly Cause[],
  endpoint: Endpoint,
  status: number,
  vocabulary: Vocabulary,
): string {
  const { dialect, reasons } = endpoint
  const codes = codesOf(endpoint).filter((code) => adsCodes[code] === status)
  const named = causes.map((cause) => {
    if (dialect === 'legacy') return `${cause} (${words[cause].legacy.code})`
    if (dialect === 'ads') return `${cause} (${wordsIn(vocabulary)[cause].ads.code})`
    return cause
  })
  const text = `${[...named, ...codes.map(vocabulary.code)].join(', ')}.`
  if (!causes.includes('bad request') || reasons.length === 0) return text
  return `${text} Reasons: ${reasons.map(vocabulary.name).join(', ')}.`
}

const ref = (component: string) => ({ $ref: `#/components/schemas/${component}` })

/** The body of each refusal as an example, by its media type. */
function refusalContent(causes: readonly Cause[], endpoint: Endpoint, speech: Speech): Json {
  const content: Record<string, { schema: JsonSchema; examples: Json }> = {}
  if (causes.length === 0) return { 'application/json': { schema: ref('AdsErrors') } }
  for (const cause of causes) {
    const { contentType, body } = sampleOf(cause, endpoint, speech)
    const [type = ''] = contentType.split(';')
    content[type] ??= { schema: refusalSchema(type, causes, endpoint, speech), examples: {} }
    const value = type.endsWith('json') ? JSON.parse(body) : body
    content[type].examples[cause.replaceAll(' ', '-')] = { value }
  }
  return content
}

function refusalSchema(
  type: string,
  causes: readonly Cause[],
  { dialect }: Endpoint,
  speech: Speech,
): JsonSchema {
  if (!type.endsWith('json')) return { type: 'string' }
  if (dialect !== 'problem') return ref(dialect === 'ads' ? 'AdsErrors' : 'LegacyErrors')
  const types = [...new Set(causes.map((cause) => words[cause].problem.slug))].map(problemType)
  return types.length === 1 && types[0] ? ref(types[0].component) : problemChoice(types, speech)
}

/** One of some subtypes, told apart by `type`. */
const problemChoice = (types: readonly ProblemType[], speech: Speech): JsonSchema => ({
  oneOf: types.map(({ component }) => ref(component)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      types.map((one) => [typeUri(one, speech), `#/components/schemas/${one.component}`]),
    ),
  },
})

/** The headers of a reply; `counted`: after the call was counted against a limit. */
function headersOf(endpoint: Endpoint, vocabulary: Vocabulary, counted = true): Json {
  const names = HEADERS.map(([name]) => name).filter((name) => {
    if (name === 'x-access-level') return endpoint.auth.includes('user') && counted
    return !name.startsWith('x-rate-limit') || (counted && Object.keys(endpoint.limits).length > 0)
  })
  return Object.fromEntries(
    names.map((name) => {
      const spoken = vocabulary.header(name)
      return [spoken, { $ref: `#/components/headers/${spoken}` }]
    }),
  )
}
