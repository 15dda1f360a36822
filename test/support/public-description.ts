import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

interface PublicOperation {
  readonly method: string
  readonly path: string
  readonly '2.166'?: { readonly reply?: Readonly<Record<string, Json>> }
}

interface Operation {
  readonly method: string
  readonly segments: readonly string[]
  /** By status. */
  readonly replies: ReadonlyMap<number, () => ValidateFunction>
}

/** The version that is served without a vocabulary. */
const VERSION = '2.166'
const BASE = 'https://public.test/'

/** Where Plaza differs on purpose. */
const DIFFERENCES: readonly (readonly [fault: RegExp, reason: string])[] = [
  [/^POST \/2\/webhooks(\/replay)? 200: {2}must have/, 'the interface shows the object in `data`'],
  [/^GET \/2\/(webhooks|connections) 200: \/data must NOT have fewer/, 'the interface shows an empty list'],
  [/^GET \/2\/usage\/posts 200: .* must NOT have fewer/, 'without use, a list is empty'],
  [/\/urls\/\*\/url must match format "uri"/, 'links are as the author wrote them'],
  [
    /^(GET|POST) \/2\/(webhooks|posts\/counts\/(all|recent)|compliance\/jobs(\/\{id\})?) 200: \/data(\/\*)? must have/,
    'members can be left out with a parameter for fields',
  ],
  [
    /^(GET|POST) \/2\/media\/upload.* (must have required property 'meta'|\/data\/processing_info must have)/,
    'the description requires a member that it does not describe',
  ],
  [/^POST \/2\/media\/subtitles 200: .*\/language_code must match/, 'languages are as they were sent'],
  [
    /^(GET|POST|PUT) \/2\/activity\/subscriptions.* \/data\/.*\/direction must be equal/,
    'the interface has other values',
  ],
  [/^GET \/2\/usage\/posts 200: .*\/project_id must be integer/, 'ids are texts'],
  [/^GET \/2\/notes\/.* must have required property 'note_info'/, 'the member is `info`'],
  [/^GET \/2\/users\/public_keys 200: \/data must be object/, 'several users have several keys'],
  [
    /^GET \/2\/users\/\{id\}\/public_keys 200: \/data must NOT have fewer/,
    'users without keys have an empty list',
  ],
  [
    /^GET \/2\/chat\/conversations\/\{id\} 200: \/data must be array/,
    'one conversation is one object, as in the newer version',
  ],
  [
    /^POST \/2\/chat\/media\/upload\/.* must have required property 'meta'/,
    'the description requires a member that it does not describe',
  ],
]

let known: readonly Operation[] | undefined

/**
 * How a successful reply of the core API differs from the public description of the platform;
 * nothing for operations that are not in it. `path`: as sent, or with the names of parameters.
 */
export function faultsOfReply(
  { method, path, status }: { method: string; path: string; status: number },
  body: unknown,
): string[] {
  known ??= readOperations()
  const segments = path.split('/')
  const [operation] = known
    .filter((one) => one.method === method && matches(one.segments, segments))
    .sort((a, b) => parameters(a.segments) - parameters(b.segments))
  const validate = operation?.replies.get(status)?.()
  if (!operation || !validate || validate(body)) return []
  const name = `${method} ${operation.segments.join('/')} ${status}`
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const place = instancePath.replace(/\/\d+(?=\/|$)/g, '/*')
    return `${name}: ${place} ${message} ${JSON.stringify(params)}`
  })
  return [...new Set(faults)].filter((fault) => !DIFFERENCES.some(([pattern]) => pattern.test(fault)))
}

const isParameter = (segment: string) => segment.startsWith('{')
const parameters = (segments: readonly string[]) => segments.filter(isParameter).length
const matches = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length && template.every((one, at) => isParameter(one) || one === segments[at])

function readOperations(): Operation[] {
  const file = new URL('../data/public-operations.json', import.meta.url)
  const { operations, schemas } = JSON.parse(readFileSync(file, 'utf8')) as {
    operations: readonly PublicOperation[]
    schemas: Readonly<Record<string, Json>>
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  formats.default(ajv)
  for (const [name, schema] of Object.entries(schemas[VERSION] ?? {}))
    ajv.addSchema(rebased(schema) as object, BASE + name)
  return operations.map(({ method, path, ...versions }) => ({
    method,
    segments: path.split('/'),
    replies: new Map(
      Object.entries(versions[VERSION]?.reply ?? {}).flatMap(([status, types]) => {
        const schema = types['application/json']
        if (schema === undefined) return []
        const wanted = typeof schema === 'string' ? { $ref: schema } : schema
        let compiled: ValidateFunction | undefined
        return [[Number(status), () => (compiled ??= ajv.compile(rebased(wanted) as object))] as const]
      }),
    ),
  }))
}

/** With absolute references, and patterns in place of formats that are patterns. */
function rebased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rebased)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (name === 'discriminator') return []
      if (name === '$ref' && typeof value === 'string') return [[name, BASE + value.slice(2)]]
      if (name === 'format' && String(value).startsWith('^')) return [['pattern', value]]
      if (name === 'format' && value === 'data-time') return [[name, 'date-time']]
      return [[name, rebased(value)]]
    }),
  )
}
