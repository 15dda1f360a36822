import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import type { Naming } from '../../platform/http/contract.ts'
import { parseLimit } from '../../platform/http/limits.ts'
import { templatesOf } from '../../platform/http/routes.ts'
import { neutralVocabulary, type Vocabulary } from '../../platform/http/vocabulary.ts'
import type { Host } from '../../platform/protocols/protocols.ts'
import { componentsOf, securityOf } from './components.ts'
import { factList } from './facts.ts'
import { isDeprecated } from './headers.ts'
import { type Operation, parametersOf, requestBodyOf, shareParameters } from './parameters.ts'
import { ComponentResponses, successOf } from './responses.ts'
import { ComponentSchemas, type Documented, type Json } from './schemas.ts'

export interface DocumentOptions {
  /** The version of the program. */
  version: string
  vocabulary?: Vocabulary
  /** The URLs of the servers: those of a Plaza that was started without settings. */
  servers?: Readonly<Partial<Record<Host, string>>>
  problemBase?: string
  /**
   * For the viewer: descriptions name callers, limits and section, and the schemas their default
   * dialect.
   */
  forReaders?: boolean
}

const SERVERS: Readonly<Partial<Record<Host, string>>> = {
  core: 'https://127.0.0.1:8443',
  ads: 'https://127.0.0.1:8444',
  sandbox: 'https://127.0.0.1:8445',
  console: 'http://127.0.0.1:8440',
}

const SERVER_WORDS = {
  core: 'Production',
  ads: 'Production',
  sandbox: 'Sandbox',
  console: 'Console',
} as const

const TITLES = {
  core: 'Plaza core API and OAuth',
  ads: 'Plaza advertising API',
  admin: 'Plaza admin API',
}
const HOSTS = { core: ['core'], ads: ['ads', 'sandbox'], admin: ['console'] } as const

/** The endpoints of one document, in the order of their paths. Hidden ones are omitted. */
function documented(document: Documented, endpoints: readonly Endpoint[]): Endpoint[] {
  const hosts: readonly Host[] = HOSTS[document]
  return endpoints
    .filter(({ host, hidden }) => hosts.includes(host) && !hidden)
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The area of an endpoint, for its tag and its heading: `webhooks` for `/2/webhooks/{webhook_id}`.
 */
export function areaOf({ host, path }: Pick<Endpoint, 'host' | 'path'>): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  if (host === 'console') return segments[2] ?? 'admin'
  if (host === 'core') return segments[0] === '2' ? (segments[1] ?? 'core') : 'oauth'
  // A batch belongs to the area of its entity.
  const own = segments[1] === 'batch' ? segments.toSpliced(1, 1) : segments
  const rest = own[1] === 'accounts' && own.length > 3 ? own.slice(3) : own.slice(1)
  return (rest[0] ?? 'accounts').replaceAll('_', '-')
}

/** The OpenAPI 3.1 document of one API, as declared. */
export function openApi(
  document: Documented,
  endpoints: readonly Endpoint[],
  options: DocumentOptions,
): Json {
  const servers = { ...SERVERS, ...options.servers }
  // The admin API has the neutral names, whatever the vocabulary.
  const { vocabulary = neutralVocabulary, problemBase = servers.core ?? '' } =
    document === 'admin' ? { problemBase: servers.console } : options
  const naming: Naming = { vocabulary, problemBase }
  const listed = documented(document, endpoints)
  const schemas = new ComponentSchemas(vocabulary)
  const responses = new ComponentResponses(naming, listed)
  const paths = pathsOf(listed, {
    naming,
    schemas,
    responses,
    servers,
    forReaders: options.forReaders === true,
  })
  const parameters = shareParameters(Object.values(paths).flatMap((item) => Object.values(item)))
  return {
    openapi: '3.1.0',
    info: { title: TITLES[document], version: options.version, license: { name: 'MIT', identifier: 'MIT' } },
    ...(!options.forReaders && { jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' }),
    servers: HOSTS[document].map((host) => ({
      url: servers[host],
      description: SERVER_WORDS[host],
    })),
    tags: [...new Set(listed.map(areaOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      ...componentsOf(document, listed, naming, schemas),
      responses: responses.all(),
      parameters,
    },
  }
}

interface Writing {
  naming: Naming
  schemas: ComponentSchemas
  responses: ComponentResponses
  servers: DocumentOptions['servers']
  forReaders: boolean
}

type Paths = Record<string, Record<string, Operation>>

function pathsOf(endpoints: readonly Endpoint[], writing: Writing): Paths {
  const { naming, servers } = writing
  const paths: Paths = {}
  for (const endpoint of endpoints) {
    for (const [index, path] of templatesOf(endpoint, naming.vocabulary).entries()) {
      const item = paths[path] ?? {}
      item[endpoint.method.toLowerCase()] = {
        ...operationOf(endpoint, writing),
        operationId: index === 0 ? endpoint.id : `${endpoint.id}${index + 1}`,
        ...(index > 0 && { 'x-alias-of': endpoint.id }),
        ...(endpoint.host === 'sandbox' && { servers: [{ url: servers?.sandbox }] }),
      }
      paths[path] = item
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint, writing: Writing): Operation {
  const { naming, schemas, responses, forReaders } = writing
  const { vocabulary } = naming
  const body = requestBodyOf(endpoint, vocabulary, schemas)
  const parameters = parametersOf(endpoint, vocabulary, schemas)
  const limits = limitsOf(endpoint)
  const description = vocabulary.text(endpoint.description)
  return {
    operationId: endpoint.id,
    summary: vocabulary.text(endpoint.summary),
    description: forReaders ? `${description}\n\n${factList(endpoint, vocabulary)}` : description,
    tags: [areaOf(endpoint)],
    security: securityOf(endpoint, vocabulary),
    ...(isDeprecated(endpoint) && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...successOf(endpoint, vocabulary, { schemas, responses }),
      ...responses.errorsOf(endpoint),
    },
    ...(limits.length > 0 && { 'x-rate-limits': limits }),
    ...(endpoint.replyKind === 'stream' && { 'x-stream': true }),
    'x-source': endpoint.source,
  }
}

/** The documented limits of an endpoint, by pool. */
function limitsOf({ limits }: Endpoint) {
  return Object.entries(limits).map(([pool, text]) => ({ pool, ...parseLimit(text) }))
}
