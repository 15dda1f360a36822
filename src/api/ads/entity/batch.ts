import { type TProperties, Type } from 'typebox'
import { beginningOf } from '../../../platform/common/cut-text.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import type { Violation } from '../../../platform/http/errors.ts'
import type { SentBack } from '../../../platform/http/input/read-only.ts'
import { jsonPairs } from '../../../platform/http/input/json-pairs.ts'
import { compileParameters, type ParameterReader } from '../../../platform/http/input/reader.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { RawJson } from '../../../platform/http/reply.ts'
import { component, componentName, raw } from '../../../platform/http/schema.ts'
import { memberOf, type Vocabulary } from '../../../platform/http/vocabulary.ts'
import { AdsApiError, adsErrorsOf, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { violationError } from '../../../platform/protocols/ads/errors.ts'
import { type AdsEndpoint, adsEndpoint } from '../endpoint.ts'
import type { EntityInput, EntityItem, Fields, JsonReader } from './fields.ts'
import { lockRows } from './locks.ts'
import { notSettable, parametersOf, readOnlyOf } from './single.ts'
import { type Entity, idOf, settableInBatch, type WriteContext } from './types.ts'
import { createItem, deleteItem, updateItem } from './write.ts'

const MAX_BYTES = 1024 * 1024
/** Number of operations after which other requests are served. */
const OPERATIONS_AT_ONCE = 25

/** One parsed operation: its parameters, or its errors. */
interface Operation {
  type: string
  /** The id of the entity; undefined for a new one. */
  id: string | undefined
  supplied: EntityInput<Fields>
  sentBack: SentBack[]
  errors: AdsError[]
  /** The parsed operation as JSON text. */
  request: string
}

/** Many writes in one transaction: all of them happen, or none (reference: batch endpoints). */
export function batchEndpoint(entity: Entity, maxOperations: number): AdsEndpoint {
  const { many, path, source, verbs, right = 'campaigns', notFound, dataType } = entity.declared
  const { codes = [], batchCodes = [] } = entity.declared
  const types = (['create', 'update', 'delete'] as const).filter((verb) => verbs.includes(verb)).map(typeOf)
  return adsEndpoint({
    id: idOf('batch', many),
    method: 'POST',
    path: `/batch${path}`,
    summary: `Create, change and delete many ${many}`,
    description: `Performs up to ${maxOperations} operations in their order: all of them, or none. \`operation_errors\` has a list for each operation.`,
    source,
    right,
    body: raw(Type.Array(operationSchema(entity, types), { minItems: 1, maxItems: maxOperations })),
    maxBodyBytes: MAX_BYTES,
    codes: ['REQUEST_TOO_COMPLEX', notFound, ...codes, ...batchCodes],
    data: Type.Array(entity.schema),
    beside: dataType === undefined ? [] : ['type'],
    requests: true,
    async handle({ body, scope, principal }, context) {
      const { vocabulary } = context.naming
      const readers = readersOf(entity, types, vocabulary)
      const operations = operationsOf(body, maxOperations).map((operation) =>
        read(operation, readers, scope.accountId, vocabulary),
      )
      const request = `[${operations.map((operation) => operation.request).join(',')}]`
      rejectDuplicates(entity, operations, request)
      if (entity.declared.delivered) await context.delivery.settle(scope.accountId)
      const items = await perform(entity, operations, request, { scope, caller: principal, context })
      await entity.declared.derive?.(items, { scope, context })
      return {
        ...(dataType !== undefined && { data_type: dataType }),
        data: items,
        request: new RawJson(request),
      }
    },
  })
}

function operationSchema({ declared: { one, id, fields, table } }: Entity, types: readonly string[]) {
  const more = batchParametersOf(fields)
  const params = Type.Object(more, {
    description: `The parameters of the single call. Unless it is a \`Create\`, \`${id}\` is one of them.`,
  })
  const isNamed = Object.keys(more).length > 0
  return component(
    componentName(one, 'operation'),
    Type.Object({
      operation_type: component(componentName(...types, 'operation'), Type.Enum([...types])),
      params: isNamed ? component(componentName(table, 'batch', 'parameters'), params) : params,
    }),
  )
}

/** The parameters that a new entity has only in a batch. */
const batchParametersOf = (fields: Fields): TProperties =>
  Object.fromEntries(
    settableInBatch(fields).map(([name, { input, schema }]) => [name, Type.Optional(input ?? schema)]),
  )

const typeOf = (verb: string) => verb.charAt(0).toUpperCase() + verb.slice(1)

/** Errors of the shape of the body concern the whole request. */
function operationsOf(body: unknown, maxOperations: number): unknown[] {
  if (!Array.isArray(body)) throw rejected('body', msg`The body is not a valid Seq: a list of operations`)
  if (body.length === 0) throw rejected('body', msg`A minimum of 1 items must be provided for body`)
  if (body.length > maxOperations)
    throw rejected(
      'body',
      msg`A maximum of ${maxOperations} operations may be sent, got ${body.length}`,
      'REQUEST_TOO_COMPLEX',
    )
  return body
}

interface OperationReader {
  name: string
  read: ParameterReader
  /** Members that are more than text, by neutral names. */
  json: readonly (readonly [member: string, read: JsonReader])[]
  verb: string
  id: string | undefined
}

type Readers = Map<string, OperationReader>

const compiled = new WeakMap<Vocabulary, Map<Entity, Readers>>()

/** Parses the parameters of each type of operation: those of the single endpoint, with the id. */
function readersOf(entity: Entity, types: readonly string[], vocabulary: Vocabulary): Readers {
  const byEntity = compiled.get(vocabulary) ?? new Map<Entity, Readers>()
  compiled.set(vocabulary, byEntity)
  const known = byEntity.get(entity)
  if (known) return known
  const { fields, id } = entity.declared
  const readers: Readers = new Map(
    types.flatMap((type) => {
      const verb = type.toLowerCase()
      const isNew = verb === 'create'
      const parameters = verb === 'delete' ? {} : parametersOf(fields, isNew ? 'create' : 'update')
      const more = isNew ? batchParametersOf(fields) : {}
      const json = Object.keys(more).flatMap((name) => {
        const read = fields[name]?.json
        return read ? [[name, read] as const] : []
      })
      const texts = Object.entries(more).filter(([name]) => !fields[name]?.json)
      const object = Type.Object({
        ...(!isNew && { [id]: entity.idSchema }),
        ...parameters,
        ...Object.fromEntries(texts),
      })
      const options = {
        ignoreUnknown: true,
        ...(isNew && { notSettable: notSettable(fields).filter((name) => !(name in more)) }),
        ...(verb === 'update' && { readOnly: Type.Object(readOnlyOf(entity.members)) }),
      }
      const read = compileParameters(object, 'body', vocabulary, options)
      const reader = { name: vocabulary.name(type), read, json, verb, id: isNew ? undefined : id }
      return vocabulary.spellings(type).map((spelling) => [spelling, reader] as const)
    }),
  )
  byEntity.set(entity, readers)
  return readers
}

const namesIn = (readers: Readers) => [...new Set([...readers.values()].map(({ name }) => name))].join(', ')

function read(value: unknown, readers: Readers, accountId: string, vocabulary: Vocabulary): Operation {
  const [typeName, paramsName] = [vocabulary.name('operation_type'), vocabulary.name('params')]
  const operation = isObject(value) ? value : {}
  const statedType = memberOf(operation, 'operation_type', vocabulary)
  const params = memberOf(operation, 'params', vocabulary)
  const type = typeof statedType === 'string' ? statedType : ''
  const reader = readers.get(type)
  const violations: Violation[] = []
  const sentBack: SentBack[] = []
  const echo = [`${JSON.stringify(vocabulary.name('account_id'))}:${JSON.stringify(accountId)}`]
  const values =
    reader && isObject(params)
      ? reader.read(jsonPairs(params, violations, reader.read.kindOf), violations, echo, sentBack)
      : {}
  const errors = violations.map(violationError)
  if (reader && isObject(params)) errors.push(...readJson(reader, params, { values, echo, vocabulary }))
  if (!isObject(value))
    errors.push(wrongParameter('operation', msg`Expected an object with operation_type and params`))
  else if (statedType === undefined) errors.push(missingParameter('operation_type'))
  else if (!reader)
    errors.push(
      wrongParameter(
        'operation_type',
        msg`Expected a value in ${namesIn(readers)}, got "${beginningOf(String(type), 100)}" for ${typeName}`,
      ),
    )
  else if (params === undefined) errors.push(missingParameter('params'))
  else if (!isObject(params)) errors.push(wrongParameter('params', msg`Expected an object for ${paramsName}`))
  const { [reader?.id ?? '']: id, ...supplied } = values
  return {
    type: reader ? typeOf(reader.verb) : '',
    id: id === undefined ? undefined : String(id),
    supplied: supplied as EntityInput<Fields>,
    sentBack,
    errors,
    request: `{"${paramsName}":{${echo.join(',')}},"${typeName}":${JSON.stringify(beginningOf(type, 100))}}`,
  }
}

/** Reads the members of an operation that are more than text. Returns their errors. */
function readJson(
  { json }: OperationReader,
  params: Readonly<Record<string, unknown>>,
  { values, echo, vocabulary }: { values: Record<string, unknown>; echo: string[]; vocabulary: Vocabulary },
): AdsError[] {
  return json.flatMap(([member, read]) => {
    const sent = memberOf(params, member, vocabulary)
    if (sent === undefined || sent === null) return []
    const name = vocabulary.name(member)
    const result = read(sent, name, vocabulary)
    if ('errors' in result) return result.errors
    values[member] = result.value
    echo.push(`${JSON.stringify(name)}:${JSON.stringify(sent)}`)
    return []
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Rejects two operations on the same entity, because their order would be ambiguous. */
function rejectDuplicates({ declared }: Entity, operations: readonly Operation[], request: string): void {
  const seen = new Set<string>()
  for (const { id } of operations) {
    if (id === undefined) continue
    if (seen.has(id))
      throw new AdsApiError({
        errors: [
          wrongParameter(declared.id, msg`${word(declared.id)} ${id} occurs in more than one operation`),
        ],
        request,
      })
    seen.add(id)
  }
}

/**
 * Performs all operations in one transaction. When one of them is wrong, the others are still
 * checked and nothing is stored.
 */
async function perform(
  entity: Entity,
  operations: readonly Operation[],
  request: string,
  { scope, caller, context }: Omit<WriteContext, 'tx' | 'now'>,
): Promise<EntityItem<Fields>[]> {
  const batchError = (errors: readonly (readonly AdsError[])[]) =>
    new AdsApiError({ operations: errors, request, detail: 'a batch with wrong operations' })
  const { prepare, checkAll } = entity.declared
  await prepare?.()
  return context.store.write(async (tx) => {
    const work: WriteContext = { tx, scope, caller, context, now: context.clock.now(), existing: new Set() }
    const items: EntityItem<Fields>[] = []
    const errors: AdsError[][] = []
    await lockRows(entity, operations, work)
    for (const [index, operation] of operations.entries()) {
      if (index > 0 && index % OPERATIONS_AT_ONCE === 0) await endOfTurn()
      const wrong =
        operation.errors.length > 0 ? operation.errors : await attempt(entity, operation, work, items)
      errors.push([...wrong])
    }
    if (errors.some((list) => list.length > 0)) throw batchError(errors)
    const left = (await checkAll?.(items, { ...work, batch: true })) ?? []
    if (left.some((list) => list.length > 0)) throw batchError(left)
    return items
  })
}

/** The errors of an operation. Without errors, its result is added to `items`. */
async function attempt(
  entity: Entity,
  { type, id = '', supplied, sentBack }: Operation,
  work: WriteContext,
  items: EntityItem<Fields>[],
): Promise<readonly AdsError[]> {
  try {
    if (type === 'Create') items.push(await createItem(entity, supplied, work))
    else if (type === 'Update') items.push(await updateItem(entity, { id, supplied, sentBack }, work))
    else items.push(await deleteItem(entity, id, work))
    return []
  } catch (error) {
    const errors = adsErrorsOf(error)
    if (errors.length > 0) return errors
    throw error
  }
}
