import { Type } from 'typebox'
import { nextBase36 } from '../../../platform/common/ids.ts'
import { fixed, msg } from '../../../platform/http/message.ts'
import { base36, component, componentName, long } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Query } from '../../../platform/storage/query.ts'
import type { AdsEndpoint } from '../endpoint.ts'
import { batchEndpoint } from './batch.ts'
import { type CellRow, codecOf, type Fields, membersOf, schemaOf } from './fields.ts'
import { follow } from './history.ts'
import { listEndpoint } from './list.ts'
import { lockQueries, rowQueries, sameQuery, shownQuery } from './queries.ts'
import { activateEndpoint, createEndpoint, deleteEndpoint, getEndpoint, updateEndpoint } from './single.ts'
import { NAME_KEY, tableOf } from './table.ts'
import {
  capital,
  type Entity,
  type EntityDeclaration,
  type EntityNames,
  ownerOf,
  VERBS,
  type Verb,
} from './types.ts'

const declaredEntities: Entity[] = []

/** Every entity of the program. */
export const entities: readonly Entity[] = declaredEntities

/** An entity as generic code sees it. */
export const untyped = <F extends Fields>(entity: Entity<F>): Entity => entity

/**
 * The names that follow from `line item`: `line items`, `line_items`, `line_item_id` and the path.
 */
function namesOf({ one, many = `${one}s`, table = underscored(many) }: NamesDeclaration): EntityNames {
  return { many, table, path: `/accounts/{account_id}/${table}`, id: `${underscored(one)}_id` }
}

const underscored = (words: string) => words.toLowerCase().replaceAll('/', '').replaceAll(' ', '_')

type NamesDeclaration = { one: string } & Partial<EntityNames>

/** Declares an entity. */
export function entity<const F extends Fields>(declaration: EntityDeclaration<F>): Entity<F> {
  const declared = { ...namesOf(declaration), verbs: VERBS, ...declaration }
  const { fields, table, nameKey, computed, ids, removed } = declared
  const members = membersOf(declared)
  const computedColumns = Object.keys(computed ?? {})
  const codec = codecOf<F>(members, computedColumns)
  const columns = [...codec.columns, ...computedColumns]
  const keys = nameKey ? [NAME_KEY] : []
  const stored = tableOf(declared)
  const same = declared.same && sameQuery(table, codec.columns, declared.same)
  const made: Entity<F> = {
    declared,
    members,
    schema: component(componentName(declared.one), schemaOf<F>(members)),
    whole: Type.Object(
      Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    ),
    idSchema: (ids ? long : base36)(`The ${declared.one}.`),
    nextId: (source) => (ids ? source.next() : nextBase36(source)),
    table: stored,
    rows: rowQueries(stored, [...codec.columns, ...keys], removed),
    locks: declared.maxBatch === undefined ? undefined : lockQueries(table, declared.parent),
    codec,
    endpoints: [],
    columns,
    shown: shownQuery(table, columns, computed),
    async find(work, id, locked) {
      const query: Query<{ account: string; id: string }, CellRow> = locked ? made.rows.lock : made.rows.byId
      const row = await work.tx.first(query, { account: ownerOf(work), id })
      return row && row.deleted !== 1 ? codec.decode(row) : undefined
    },
    async require(work, id, locked) {
      const item = await made.find(work, id, locked)
      if (!item) throw made.missing(ownerOf(work), id)
      return item
    },
    async findSame({ tx, scope }, values) {
      const row = same && (await tx.first(same, { ...values, account_id: scope.accountId }))
      return row && codec.decode(row)
    },
    missing: missingOf(declared),
  }
  Object.assign(made, { endpoints: endpointsFor(untyped(made)) })
  if (declared.history) follow(declared.history, made)
  declaredEntities.push(made)
  return made
}

const missingOf =
  ({ one, id: name, notFound }: Pick<Entity['declared'], 'one' | 'id' | 'notFound'>): Entity['missing'] =>
  (accountId, id, parameter = name) =>
    rejected(parameter, msg`${fixed(capital(one))} ${id} was not found for Account ${accountId}`, notFound)

/**
 * The endpoints of an entity once more, under the names that follow from another singular: for
 * clients that use a former name.
 */
export function renamed<F extends Fields>(
  entity: Entity<F>,
  names: { one: string; filters: NonNullable<EntityDeclaration<F>['filters']> },
): Entity<F> {
  const { one } = names
  const { table } = entity.declared
  const declared = { ...entity.declared, ...namesOf({ one }), ...names, table }
  const missing = missingOf(declared)
  const made: Entity<F> = {
    ...entity,
    declared,
    missing,
    async require(work, id, locked) {
      const item = await entity.find(work, id, locked)
      if (!item) throw missing(ownerOf(work), id)
      return item
    },
  }
  return Object.assign(made, { endpoints: endpointsFor(untyped(made)) })
}

function endpointsFor(entity: Entity): AdsEndpoint[] {
  const { verbs, activates, maxBatch } = entity.declared
  const makers: Record<Verb, (entity: Entity) => AdsEndpoint> = {
    list: listEndpoint,
    get: getEndpoint,
    create: createEndpoint,
    update: updateEndpoint,
    delete: deleteEndpoint,
  }
  return [
    ...verbs.map((verb) => makers[verb](entity)),
    ...(activates ? [activateEndpoint(entity)] : []),
    ...(maxBatch === undefined ? [] : [batchEndpoint(entity, maxBatch)]),
  ]
}
