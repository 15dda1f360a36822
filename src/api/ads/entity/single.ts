import { type TProperties, Type } from 'typebox'
import { withArticle } from '../../../platform/common/article.ts'
import { clearable, ignored } from '../../../platform/http/schema.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type AdsEndpoint, adsEndpoint, LIMITS } from '../endpoint.ts'
import type { AccountScope } from '../scope.ts'
import type { EntityInput, EntityItem, Field, Fields } from './fields.ts'
import { withDeleted } from './list.ts'
import { lockRows } from './locks.ts'
import { DRAFT, VISIBLE } from './queries.ts'
import { type ActingCaller, type Entity, idIn, idOf, ownerOf, settable, type WriteContext } from './types.ts'
import { createItem, deleteItem, throwErrors, type UpdateInput, updateItem } from './write.ts'

/**
 * Gets one entity by id. A deleted one, or one whose parent is deleted, is found only with
 * `with_deleted`.
 */
export function getEndpoint(entity: Entity): AdsEndpoint {
  const { one, path, id, source, notFound, limits = 'read', query: own = {} } = entity.declared
  const { echo, grants, derive, describe, removed } = entity.declared
  return adsEndpoint({
    id: idOf('get', one),
    method: 'GET',
    path: `${path}/{${id}}`,
    summary: `Get ${withArticle(one)}`,
    description: describe?.get ?? `Returns ${withArticle(one)} of the account.`,
    source,
    right: 'read',
    limits: LIMITS[limits],
    params: { [id]: entity.idSchema },
    query: { ...own, ...(!removed && { with_deleted: withDeleted }) },
    codes: [notFound],
    data: entity.schema,
    ...(echo && { echo }),
    async handle({ scope, params, query }, context) {
      const itemId = idIn(params, id)
      const grant = await grants?.find(itemId, { scope, context, writes: false })
      const at = { account: ownerOf({ scope, grant }), id: itemId, now: context.clock.now() }
      const row = await context.store.first(entity.shown, at)
      const isShown = query.with_deleted || row?.visibility === VISIBLE || row?.visibility === DRAFT
      if (!row || !isShown) throw entity.missing(scope.accountId, itemId)
      const item = entity.codec.decodeWhole(row)
      await derive?.([item], { scope, context, query, grant })
      return { data: item }
    },
  })
}

/** The parameters of a new entity or of a change. */
export function parametersOf(fields: Fields, verb: 'create' | 'update'): TProperties {
  return Object.fromEntries(
    settable(fields, verb).map(([name, field]) => {
      const changed = verb === 'update' && field.update !== true ? field.update : undefined
      const input = changed ?? field.input ?? field.schema
      const schema = field.null ? clearable(input) : input
      return [name, verb === 'create' && field.create === 'required' ? schema : Type.Optional(schema)]
    }),
  )
}

/** Members that callers can read but not set on a new entity. */
export function notSettable(fields: Fields): string[] {
  const open = new Set(settable(fields, 'create').map(([name]) => name))
  return [...Object.keys(fields), 'created_at', 'updated_at', 'deleted'].filter((name) => !open.has(name))
}

/**
 * Members of a reply that an update cannot set, or not to every value that they may have. Members
 * that the service changes itself are not included: values that are sent for them are ignored.
 */
export function readOnlyOf(members: Fields): TProperties {
  const isReadOnly = ({ update, input, derived, unshown, moves }: Field) =>
    derived !== true &&
    !moves &&
    (!unshown || derived === 'fixed') &&
    (update !== true || input !== undefined)
  const { updated_at, deleted, ...others } = members
  return Object.fromEntries(
    Object.entries(others).flatMap(([name, field]) => (isReadOnly(field) ? [[name, field.schema]] : [])),
  )
}

/** Members that move by themselves. A form may have any others, a body only known ones. */
const IGNORED = { updated_at: ignored('Moves by itself.'), deleted: ignored('Moves by itself.') }

/** Runs a write of one entity in a separate transaction, and renders the result. */
async function writeOne(
  entity: Entity,
  {
    scope,
    principal,
    id,
    supplied = {},
  }: { scope: AccountScope; principal: ActingCaller; id?: string; supplied?: EntityInput<Fields> },
  context: AdsDependencies,
  work: (work: WriteContext) => Promise<EntityItem<Fields>>,
) {
  const { prepare, checkAll, grants, derive, delivered } = entity.declared
  if (delivered) await context.delivery.settle(scope.accountId)
  const grant = id === undefined ? undefined : await grants?.find(id, { scope, context, writes: true })
  await prepare?.()
  const item = await context.store.write(async (tx) => {
    const now = context.clock.now()
    const at: WriteContext = { tx, scope, grant, caller: principal, context, now, existing: new Set() }
    // In the order of batches. A creation locks its parent first by itself.
    if (id !== undefined) await lockRows(entity, [{ id, supplied }], at)
    const written = await work(at)
    const [errors] = (await checkAll?.([written], { ...at, batch: false })) ?? []
    throwErrors(errors)
    return written
  })
  await derive?.([item], { scope, context, grant })
  return { data: item }
}

/** Creates one entity in a transaction of its own, and resolves to it as replies show it. */
export const createOne = (
  entity: Entity,
  { scope, principal, supplied }: OneCreation,
  context: AdsDependencies,
) => writeOne(entity, { scope, principal }, context, (work) => createItem(entity, supplied, work))

interface OneActing {
  readonly scope: AccountScope
  readonly principal: ActingCaller
}

interface OneCreation extends OneActing {
  readonly supplied: EntityInput<Fields>
}

interface OneUpdate extends OneCreation {
  readonly id: string
  readonly sentBack: UpdateInput['sentBack']
}

/** Changes one entity in a transaction of its own. */
export const updateOne = (
  entity: Entity,
  { scope, principal, id, supplied, sentBack }: OneUpdate,
  context: AdsDependencies,
) =>
  writeOne(entity, { scope, principal, id, supplied }, context, (work) =>
    updateItem(entity, { id, supplied, sentBack }, work),
  )

/** Deletes one entity in a transaction of its own. */
export const deleteOne = (
  entity: Entity,
  { scope, principal, id }: OneActing & { readonly id: string },
  context: AdsDependencies,
) => writeOne(entity, { scope, principal, id }, context, (work) => deleteItem(entity, id, work))

export function createEndpoint(entity: Entity): AdsEndpoint {
  const { one, path, source, fields, right = 'campaigns', sandboxWrites, codes = [] } = entity.declared
  const { echo, describe, removed, maxBodyBytes, bodies } = entity.declared
  return adsEndpoint({
    id: idOf('create', one),
    ...(sandboxWrites && { host: 'sandbox' as const }),
    method: 'POST',
    path,
    summary: `Create ${withArticle(one)}`,
    description:
      describe?.create ??
      `Creates ${withArticle(one)}. An error response lists every validation rule that the request breaks.`,
    source,
    right,
    ...(bodies
      ? { body: bodies.create }
      : { form: parametersOf(fields, 'create'), ...(!removed && { notSettable: notSettable(fields) }) }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    status: 201,
    codes,
    data: entity.schema,
    ...(echo && { echo }),
    handle({ form, body, scope, principal }, context) {
      const supplied = (bodies ? body : form) as EntityInput<Fields>
      return createOne(entity, { scope, principal, supplied }, context)
    },
  })
}

export function updateEndpoint(entity: Entity): AdsEndpoint {
  const { one, path, id, source, fields, right = 'campaigns', notFound, codes = [] } = entity.declared
  const { echo, grants, describe, maxBodyBytes, updateCodes = [], bodies, sandboxWrites } = entity.declared
  return adsEndpoint({
    id: idOf('update', one),
    ...(sandboxWrites && { host: 'sandbox' as const }),
    method: 'PUT',
    path: `${path}/{${id}}`,
    summary: `Update ${withArticle(one)}`,
    description:
      describe?.update ??
      'Changes only the parameters that are sent. An optional value is removed by sending it empty. You can send back a whole object: members that cannot be set must have the stored value.',
    source,
    right,
    params: { [id]: entity.idSchema },
    ...(bodies
      ? { body: bodies.update ?? bodies.create, readOnly: { ...readOnlyOf(entity.members), ...IGNORED } }
      : { form: parametersOf(fields, 'update'), readOnly: readOnlyOf(entity.members) }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    codes: [notFound, ...codes, ...updateCodes, ...(grants?.codes ?? [])],
    data: entity.schema,
    ...(echo && { echo }),
    handle({ params, form, body, sentBack, scope, principal }, context) {
      const itemId = idIn(params, id)
      const supplied = (bodies ? body : form) as EntityInput<Fields>
      return updateOne(entity, { scope, principal, id: itemId, supplied, sentBack }, context)
    },
  })
}

/** Lets an entity be shown: the same as an update of its `entity_status`. */
export function activateEndpoint(entity: Entity): AdsEndpoint {
  const { one, path, id, source, right = 'campaigns', notFound, codes = [] } = entity.declared
  return adsEndpoint({
    id: idOf('activate', one),
    method: 'PUT',
    path: `${path}/{${id}}/activate`,
    summary: `Activate ${withArticle(one)}`,
    description: 'Sets `entity_status` to `ACTIVE`, also of a draft. Changes nothing if it is active.',
    source,
    right,
    params: { [id]: entity.idSchema },
    codes: [notFound, ...codes],
    data: entity.schema,
    handle({ params, scope, principal }, context) {
      const change = { id: idIn(params, id), supplied: { entity_status: 'ACTIVE' }, sentBack: [] }
      return updateOne(entity, { scope, principal, ...change }, context)
    },
  })
}

export function deleteEndpoint(entity: Entity): AdsEndpoint {
  const { one, path, id, source, right = 'campaigns', sandboxWrites, notFound } = entity.declared
  const { echo, grants, describe } = entity.declared
  return adsEndpoint({
    id: idOf('delete', one),
    ...(sandboxWrites && { host: 'sandbox' as const }),
    method: 'DELETE',
    path: `${path}/{${id}}`,
    summary: `Delete ${withArticle(one)}`,
    description:
      describe?.delete ??
      'Deletion is final. The object is still returned with `with_deleted`. Deleting it again returns 404.',
    source,
    right,
    params: { [id]: entity.idSchema },
    codes: [notFound, ...(grants?.codes ?? [])],
    data: entity.schema,
    ...(echo && { echo }),
    handle({ params, scope, principal }, context) {
      return deleteOne(entity, { scope, principal, id: idIn(params, id) }, context)
    },
  })
}
