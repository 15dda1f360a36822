import { type TObject, Type } from 'typebox'
import { NO_APP } from '../../../domain/posts/insert.ts'
import { withArticle } from '../../../platform/common/article.ts'
import { oncePer } from '../../../platform/common/once-per.ts'
import { invalid, type Violation } from '../../../platform/http/errors.ts'
import { jsonPairs } from '../../../platform/http/input/json-pairs.ts'
import { compileParameters } from '../../../platform/http/input/reader.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { flag, raw } from '../../../platform/http/schema.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { adsErrorsOf } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { NotThere, WrongValue } from '../../../workbench/create/wrong.ts'
import { accountById, accountOfUser, administratorOf } from '../../ads/accounts/queries.ts'
import type { EntityInput, Fields } from '../../ads/entity/fields.ts'
import { readItems } from '../../ads/entity/list.ts'
import { DRAFT, VISIBLE } from '../../ads/entity/queries.ts'
import { createOne, deleteOne, parametersOf, updateOne } from '../../ads/entity/single.ts'
import { type Entity, idOf } from '../../ads/entity/types.ts'
import type { Role } from '../../ads/scope.ts'
import { accountId } from '../accounts/account.ts'
import { ADMIN, type AdminDependencies, endpoint } from '../endpoint.ts'
import { DEFAULT_LIMIT, PAGE_PARAMETERS, pageReply } from '../page.ts'
import { userName } from '../users/user.ts'

const closed = { additionalProperties: false }
const actsAs = Type.Optional(userName('Id or screen name.'))
const ACTS_AS = '`as_user` is who does it: the administrator of the account by default.'

/**
 * Declares the endpoints of an advertising entity. They work by the rules of the advertising API,
 * and have the parameters of the endpoints there as members.
 */
export function entityEndpoints<F extends Fields>(declared: Entity<F>, many: string) {
  // Only its author sees the types of its fields.
  const entity = declared as unknown as Entity
  const { one, fields, id: idName } = entity.declared
  const reply = Type.Object({ data: Type.Unsafe<object>(entity.schema) }, closed)
  const common = { ...ADMIN, errors: [...ADMIN.errors, 'not found'] } as const
  const path = `/admin/v1/accounts/{account_id}/${many}`
  const params = { account_id: accountId }
  const ofOne = { ...params, [idName]: entity.idSchema } as typeof params
  const onePath = `${path}/{${idName}}` as const
  const idIn = (sent: object) => String((sent as Record<string, unknown>)[idName])
  const bodyOf = (verb: 'create' | 'update') => {
    const parameters = Type.Object({ ...parametersOf(fields, verb), as_user: actsAs }, closed)
    return { body: raw(parameters), read: parameterReader(parameters) }
  }
  const [creation, change] = [bodyOf('create'), bodyOf('update')]
  return {
    create: endpoint({
      ...common,
      id: idOf('createAdmin', one),
      method: 'POST',
      path,
      summary: `Create ${withArticle(one)}`,
      description: `Creates ${withArticle(one)} by the rules of the advertising API, with its members. An error lists every rule that it breaks. ${ACTS_AS}`,
      params,
      body: creation.body,
      status: 201,
      reply,
      async handle({ params, body }, dependencies) {
        const { as_user, ...supplied } = creation.read(body)
        const at = await actingFor(params.account_id, as_user, dependencies)
        const input = { ...at, supplied: supplied as EntityInput<Fields> }
        return json(await inOwnWords(createOne(entity, input, dependencies)))
      },
    }),
    list: entityList(declared),
    update: endpoint({
      ...common,
      id: idOf('updateAdmin', one),
      method: 'PUT',
      path: onePath,
      summary: `Change ${withArticle(one)}`,
      description: `Changes the members that are sent, by the rules of the advertising API; null removes an optional one. An error lists every rule that the change breaks. ${ACTS_AS}`,
      params: ofOne,
      body: change.body,
      reply,
      async handle({ params, body }, dependencies) {
        const { as_user, ...supplied } = change.read(body)
        const at = await actingFor(params.account_id, as_user, dependencies)
        const id = await knownId(entity, at.scope.accountId, idIn(params), dependencies)
        const input = { ...at, id, supplied: supplied as EntityInput<Fields>, sentBack: [] }
        return json(await inOwnWords(updateOne(entity, input, dependencies)))
      },
    }),
    delete: endpoint({
      ...common,
      id: idOf('deleteAdmin', one),
      method: 'DELETE',
      path: onePath,
      summary: `Delete ${withArticle(one)}`,
      description: `Deletes ${withArticle(one)}, finally. Lists still have it with \`with_deleted\`. ${ACTS_AS}`,
      params: ofOne,
      query: { as_user: actsAs },
      reply,
      async handle({ params, query }, dependencies) {
        const at = await actingFor(params.account_id, query.as_user, dependencies)
        const id = await knownId(entity, at.scope.accountId, idIn(params), dependencies)
        return json(await inOwnWords(deleteOne(entity, { ...at, id }, dependencies)))
      },
    }),
  }
}

/** Declares the list of an advertising entity, with its filters. */
export function entityList<F extends Fields>(declared: Entity<F>) {
  const entity = declared as unknown as Entity
  const { many, table, filters = {} } = entity.declared
  const own = Object.entries(filters).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ])
  return endpoint({
    ...ADMIN,
    errors: [...ADMIN.errors, 'not found'],
    id: idOf('listAdmin', many),
    method: 'GET',
    path: `/admin/v1/accounts/{account_id}/${table}`,
    summary: `List ${many}`,
    description: `Lists the ${many} of an account, oldest first, drafts too.`,
    params: { account_id: accountId },
    query: {
      ...PAGE_PARAMETERS,
      with_deleted: flag('Whether to include deleted ones.'),
      ...(Object.fromEntries(own) as object),
    },
    reply: pageReply(Type.Unsafe<object>(entity.schema)),
    async handle({ params, query }, dependencies) {
      const { scope } = await actingFor(params.account_id, undefined, dependencies)
      return json(await inOwnWords(pageOf(entity, scope, query, dependencies)))
    },
  })
}

type Acting = Awaited<ReturnType<typeof actingFor>>

/** A page of a list, as lists of the admin API are. */
async function pageOf(
  entity: Entity,
  scope: Acting['scope'],
  { limit: count = DEFAULT_LIMIT, pagination_token: cursor, with_deleted = false, ...filtered }: PageInput,
  context: AdminDependencies,
) {
  const with_draft = entity.declared.drafts === true
  const query = { ...filtered, with_deleted, with_draft, with_total_count: false, count, cursor }
  const { data, next_cursor } = await readItems(entity, { scope, query }, context)
  const next = next_cursor !== null && { next_token: next_cursor }
  return { data, meta: { result_count: data.length, ...next } }
}

interface PageInput {
  readonly limit?: number
  readonly pagination_token?: string
  readonly with_deleted?: boolean
}

/** The id of an entity that exists. */
async function knownId(
  entity: Entity,
  account: string,
  id: string,
  { store, clock }: AdminDependencies,
): Promise<string> {
  const row = await store.first(entity.shown, { account, id, now: clock.now() })
  if (row?.visibility === VISIBLE || row?.visibility === DRAFT) return id
  throw new NotThere(`The account ${account} has no ${entity.declared.one} ${id}.`)
}

/**
 * Compiles the reader of a body whose members are parameters of the advertising API, in the same
 * forms as there.
 */
function parameterReader(parameters: TObject) {
  const read = oncePer(() =>
    compileParameters(parameters, 'body', neutralVocabulary, { ignoreUnknown: false }),
  )
  return (body: unknown): Record<string, unknown> & { as_user?: string } => {
    const reader = read(parameters)
    const violations: Violation[] = []
    // A member that is no parameter is reported by the reader of parameters.
    const kindOf = (name: string) => reader.kindOf(name) ?? 'value'
    const values = reader(jsonPairs(body, violations, kindOf), violations)
    if (violations.length > 0) throw invalid(...violations)
    return values
  }
}

/** Turns errors of the advertising API into those of the admin API. */
async function inOwnWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const [first, ...more] = adsErrorsOf(error).map(violationOf)
    throw first ? invalid(first, ...more) : error
  }
}

const violationOf = ({ parameter, attribute = '', message }: AdsError): Violation => ({
  place: 'body',
  name: parameter ?? attribute,
  value: undefined,
  fault: { kind: 'rule', explanation: message },
})

/** The account, with the roles of the user who acts. */
async function actingFor(id: string, who: string | undefined, { store }: AdminDependencies) {
  const account = await store.first(accountById, { id })
  if (!account || account.deleted === 1) throw new NotThere(`There is no account ${id}.`)
  const user = who === undefined ? undefined : await theUser(store, who)
  const userId = user?.id ?? (await store.first(administratorOf, { account: id }))?.user_id
  const { environment } = account
  const found =
    userId === undefined ? undefined : await store.first(accountOfUser, { id, userId, environment })
  if (!found || userId === undefined)
    throw new WrongValue('as_user', who ?? '', `The account ${id} has no such user.`)
  const scope = { accountId: id, account: found, roles: found.roles.split(',') as Role[] }
  return { scope, principal: { userId, app: { id: NO_APP } } }
}
