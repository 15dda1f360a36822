import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { jsonText } from '../../platform/common/exact-json.ts'
import type { Naming } from '../../platform/http/contract.ts'
import type { JsonSchema } from '../../platform/http/renamed-schema.ts'
import { compileReply } from '../../platform/http/reply.ts'
import { componentName, plain } from '../../platform/http/schema.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { adsCodes } from '../../platform/protocols/ads/codes.ts'
import { isAdsEndpoint } from '../../platform/protocols/ads/endpoint.ts'
import { type Cause, oauth2WordsOf, words, wordsIn } from '../../platform/protocols/catalogue.ts'
import { problemType } from '../../platform/protocols/problem/types.ts'
import { causesOf, codesOf, type ErrorFormat, errorFormatOf, sampleOf, statusOf } from './causes.ts'
import { problemChoice } from './errors.ts'
import { headersOf } from './headers.ts'
import { type ComponentSchemas, type Json, schemaRef } from './schemas.ts'

/** The responses of one document that its operations share. */
export class ComponentResponses {
  readonly #naming: Naming
  readonly #found = new Map<string, Json>()
  readonly #shownAlone: ReadonlySet<string>

  constructor(naming: Naming, endpoints: readonly Endpoint[]) {
    this.#naming = naming
    this.#shownAlone = new Set(endpoints.flatMap(({ reply }) => dataOf(reply)?.component?.name ?? []))
    const errors = new Map<string, SharedErrors>()
    for (const endpoint of endpoints) collectErrors(endpoint, naming, errors)
    for (const [name, one] of errors) this.#found.set(name, errorResponse(one, naming))
  }

  /** The example of an endpoint. Examples of the advertising API are generated. */
  exampleOf(endpoint: Endpoint): Endpoint['example'] {
    const { reply, example } = endpoint
    const item = dataOf(reply)?.items?.component
    return isAdsEndpoint(endpoint) && item && this.#shownAlone.has(item.name) ? undefined : example
  }

  /**
   * Adds a response, named after its body. A body that occurs elsewhere with other headers is not
   * shared.
   */
  shared(name: string, response: Json): Json {
    const other = this.#found.get(name)
    if (other && jsonText(other) !== jsonText(response)) return response
    this.#found.set(name, response)
    return responseRef(name)
  }

  /**
   * The error replies of an endpoint. When fewer errors are possible than in the shared response,
   * they are listed.
   */
  errorsOf(endpoint: Endpoint): Json {
    return Object.fromEntries(
      [...errorsByStatus(endpoint)].map(([status, errors]) => {
        const name = responseName(errorFormatOf(endpoint), status, errors)
        const description = describe(
          errors,
          { format: errorFormatOf(endpoint), reasons: endpoint.reasons },
          this.#naming,
        )
        const isUsual = description === this.#found.get(name)?.description
        return [status, { ...responseRef(name), ...(!isUsual && { description }) }]
      }),
    )
  }

  /** All responses, sorted by name. */
  all(): Json {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const dataOf = (reply: TSchema) => plain(reply).properties?.data

const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Success replies: `status`, and the others that the endpoint declares. */
export function successOf(
  endpoint: Endpoint,
  vocabulary: Vocabulary,
  { schemas, responses }: { schemas: ComponentSchemas; responses: ComponentResponses },
): Json {
  const headers = headersOf(endpoint, vocabulary, { status: endpoint.status })
  const example = responses.exampleOf(endpoint)
  const content = successContent({ ...endpoint, example }, vocabulary, schemas)
  const others = Object.entries(endpoint.otherStatuses).map(([status, description]) => [
    status,
    { description: vocabulary.text(description), headers, ...(status !== '204' && { content }) },
  ])
  const success = { description: 'Success.', headers, ...(endpoint.replyKind !== 'empty' && { content }) }
  const name = endpoint.replyKind === 'json' ? replyName(endpoint) : undefined
  return {
    [endpoint.status]: name === undefined ? success : responses.shared(name, success),
    ...Object.fromEntries(others),
  }
}

function successContent(endpoint: Endpoint, vocabulary: Vocabulary, schemas: ComponentSchemas): Json {
  const { replyKind, reply, example } = endpoint
  switch (replyKind) {
    case 'empty':
      return {}
    case 'json':
    case 'stream':
      return {
        'application/json': {
          schema: schemas.named(replyName(endpoint), reply),
          ...(example && { example: JSON.parse(compileReply(reply, vocabulary)(example.reply)) }),
        },
      }
    case 'form':
      return { 'application/x-www-form-urlencoded': { schema: schemas.named(replyName(endpoint), reply) } }
    case 'page':
      return { 'text/html': { schema: { type: 'string' } } }
    case 'file':
      return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  }
}

/** The name of the reply: the declared name, otherwise derived from the operation. */
const replyName = ({ id, reply }: Endpoint) =>
  plain(reply).component?.name ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Reply`

/** The errors that an endpoint can return with one status. */
interface Errors {
  causes: Cause[]
  codes: string[]
}

/** Unauthenticated calls are not counted. */
const BEFORE_COUNTING: ReadonlySet<number> = new Set([401, 403])

function errorsByStatus(endpoint: Endpoint): Map<number, Errors> {
  const byStatus = new Map<number, Errors>()
  const at = (status: number) => {
    const errors = byStatus.get(status) ?? { causes: [], codes: [] }
    byStatus.set(status, errors)
    return errors
  }
  for (const cause of causesOf(endpoint)) at(statusOf(cause, errorFormatOf(endpoint))).causes.push(cause)
  for (const code of codesOf(endpoint)) at(adsCodes[code]).codes.push(code)
  return byStatus
}

/**
 * The description of an error body: its code, or its causes and the reason words of the endpoint.
 */
function describe(
  { causes, codes }: Errors,
  { format, reasons }: { format: ErrorFormat; reasons: readonly string[] },
  { vocabulary }: Naming,
): string {
  if (format === 'ads') {
    const words = wordsIn(vocabulary)
    const all = [...causes.map((cause) => words[cause].ads.code), ...codes.map(vocabulary.code)]
    return codesText([...new Set(all)].sort())
  }
  if (format === 'oauth2') {
    const codes = causes.map((cause) => oauth2WordsOf(words[cause]).error)
    return codesText([...new Set(codes)].sort())
  }
  if (format === 'legacy') {
    const byCode = new Map(causes.map((cause) => [words[cause].legacy.code, cause]))
    return codesText([...byCode].map(([code, cause]) => `${code} (${cause})`))
  }
  const text = `The error is: ${listText(causes)}.`
  if (!causes.includes('bad request') || reasons.length === 0) return text
  return `${text} Its reason is ${listText(reasons.map(vocabulary.name))}.`
}

const codesText = (codes: readonly string[]) => `The error code is ${listText(codes)}.`

const listText = (items: readonly string[]) =>
  [items.slice(0, -1).join(', '), ...items.slice(-1)].filter((text) => text !== '').join(' or ')

const BAD_REQUEST = 400

const PREFIXES: Readonly<Record<ErrorFormat, string>> = {
  problem: '',
  legacy: 'Legacy',
  oauth2: 'Oauth2',
  ads: '',
  page: 'Page',
}

/**
 * `NotFound`, `LegacyTooManyRequests`: the name of the status in HTTP, and the part of the platform
 * that returns it. OAuth steps that return some errors as plain text have separate responses.
 */
function responseName(format: ErrorFormat, status: number, { causes }: Errors): string {
  const phrase = STATUS_CODES[status]
  if (phrase === undefined) throw new Error(`HTTP has no status ${status}`)
  const isPlain = format === 'legacy' && causes.some((cause) => 'plain' in words[cause].legacy)
  return (
    PREFIXES[format] +
    phrase.replaceAll(/[^A-Za-z]/g, '') +
    (isPlain ? 'OrText' : rareTypes(format, status, causes))
  )
}

/**
 * A status 400 nearly always has one type of Problem. The few endpoints with more have a separate
 * response.
 */
function rareTypes(format: ErrorFormat, status: number, causes: readonly Cause[]): string {
  if (format !== 'problem' || status !== BAD_REQUEST) return ''
  const rare = causes.filter((cause) => cause !== 'bad request').map((cause) => words[cause].problem.slug)
  return [...new Set(rare)].map((slug) => `Or${componentName(slug ?? 'problem')}`).join('')
}

/** The errors with one status in one error format, with an endpoint that can return them. */
interface SharedErrors {
  causes: Map<Cause, Endpoint>
  codes: Set<string>
  headers: Json
  format: ErrorFormat
}

function collectErrors(endpoint: Endpoint, { vocabulary }: Naming, found: Map<string, SharedErrors>): void {
  const { overLimit } = endpoint
  const format = errorFormatOf(endpoint)
  const limited = statusOf(overLimit, format)
  for (const [status, errors] of errorsByStatus(endpoint)) {
    const { causes, codes } = errors
    const name = responseName(format, status, errors)
    const shared = found.get(name) ?? { causes: new Map(), codes: new Set(), headers: {}, format }
    found.set(name, shared)
    for (const cause of causes) if (!shared.causes.has(cause)) shared.causes.set(cause, endpoint)
    for (const code of codes) shared.codes.add(code)
    const counted = status === limited || !BEFORE_COUNTING.has(status)
    Object.assign(shared.headers, headersOf(endpoint, vocabulary, { status, counted }))
  }
}

function errorResponse({ causes, codes, headers, format }: SharedErrors, naming: Naming): Json {
  const all = { causes: [...causes.keys()], codes: [...codes] }
  return {
    description: describe(all, { format, reasons: [] }, naming),
    headers,
    content: errorContent(causes, format, naming),
  }
}

/** An example of the body of each error, by media type. */
function errorContent(causes: ReadonlyMap<Cause, Endpoint>, format: ErrorFormat, naming: Naming): Json {
  const content: Record<string, { schema: JsonSchema; examples?: Json }> = {}
  if (causes.size === 0) return { 'application/json': { schema: errorSchema([], format, naming) } }
  for (const [cause, endpoint] of causes) {
    const { contentType, body } = sampleOf(cause, endpoint, naming)
    const [type = ''] = contentType.split(';')
    const isJson = type.endsWith('json')
    const schema = isJson ? errorSchema([...causes.keys()], format, naming) : { type: 'string' }
    const examples = content[type]?.examples ?? {}
    examples[cause.replaceAll(' ', '-')] = { value: isJson ? JSON.parse(body) : body }
    content[type] = { schema, examples }
  }
  return content
}

function errorSchema(causes: readonly Cause[], format: ErrorFormat, naming: Naming): JsonSchema {
  if (format === 'legacy') return schemaRef('LegacyErrors')
  if (format === 'oauth2') return schemaRef('Oauth2Error')
  if (format === 'problem') {
    const slugs = new Set(causes.map((cause) => words[cause].problem.slug))
    return problemChoice([...slugs].map(problemType), naming)
  }
  const isOfRequest = causes.includes('bad request')
  if (!isOfRequest) return schemaRef('AdsErrors')
  return { anyOf: [schemaRef('AdsErrors'), schemaRef('AdsOperationErrors')] }
}
