import { type TObject, Type } from 'typebox'
import { NO_APP } from '../../../domain/posts/insert.ts'
import { withArticle } from '../../../platform/common/article.ts'
import { oncePer } from '../../../platform/common/once-per.ts'
import { invalid, type Violation } from '../../../platform/http/errors.ts'
import { compileParameters, jsonPairs } from '../../../platform/http/input/reader.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { raw } from '../../../platform/http/schema.ts'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { adsErrorsOf } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { NotThere, WrongValue } from '../../../workbench/create/wrong.ts'
import { accountById, accountOfUser, administratorOf } from '../../ads/accounts/queries.ts'
import type { EntityInput, Fields } from '../../ads/entity/fields.ts'
import { readItems } from '../../ads/entity/list.ts'
import { createOne, parametersOf, updateOne } from '../../ads/entity/single.ts'
import { type Entity, idOf } from '../../ads/entity/types.ts'
import type { Role } from '../../ads/scope.ts'
import { accountId } from '../accounts/account.ts'
import { ADMIN, type AdminDependencies, endpoint } from '../endpoint.ts'
import { DEFAULT_LIMIT, PAGE_PARAMETERS, type PageQuery, pageReply } from '../page.ts'
import { userName } from '../users/user.ts'

const closed = { additionalProperties: false }

/**
 * Declares a POST that creates an advertising entity by the rules of the advertising API: it has
 * the parameters of the endpoint there as members.
 */
export function entityEndpoint<F extends Fields>(declared: Entity<F>, many: string) {
  // Only its author sees the types of its fields.
  const entity = declared as unknown as Entity
  const { one, fields } = entity.declared
  const parameters = Type.Object(
    { ...parametersOf(fields, 'create'), as_user: Type.Optional(userName('Id or screen name.')) },
    closed,
  )
  const read = parameterReader(parameters)
  return endpoint({
    ...ADMIN,
    id: idOf('createAdmin', one),
    method: 'POST',
    path: `/admin/v1/accounts/{account_id}/${many}`,
    summary: `Create ${withArticle(one)}`,
    description: `Creates ${withArticle(one)} by the rules of the advertising API, with its members. An error lists every rule that it breaks. \`as_user\` is who creates it: the administrator of the account by default.`,
    params: { account_id: accountId },
    body: raw(parameters),
    status: 201,
    reply: Type.Object({ data: Type.Unsafe<object>(entity.schema) }, closed),
    errors: [...ADMIN.errors, 'not found'],
    async handle({ params, body }, dependencies) {
      const { as_user, ...supplied } = read(body)
      const { scope, userId } = await scopeOf(params.account_id, as_user, dependencies)
      const principal = { userId, app: { id: NO_APP } }
      const { data } = await inOwnWords(
        createOne(entity, { scope, principal, supplied: supplied as EntityInput<Fields> }, dependencies),
      )
      return json({ data })
    },
  })
}

/**
 * Declares a PUT that changes an advertising entity by the rules of the advertising API. Members
 * that are omitted stay as they are.
 */
export function entityChange<F extends Fields>(declared: Entity<F>, many: string) {
  const entity = declared as unknown as Entity
  const { one, fields } = entity.declared
  const parameters = Type.Object(
    { ...parametersOf(fields, 'update'), as_user: Type.Optional(userName('Id or screen name.')) },
    closed,
  )
  const read = parameterReader(parameters)
  return endpoint({
    ...ADMIN,
    id: idOf('changeAdmin', one),
    method: 'PUT',
    path: `/admin/v1/accounts/{account_id}/${many}/{entity_id}`,
    summary: `Change ${withArticle(one)}`,
    description: `Changes ${withArticle(one)} by the rules of the advertising API. Omitted members stay as they are. \`as_user\` is who changes it: the administrator of the account by default.`,
    params: { account_id: accountId, entity_id: entity.idSchema },
    body: raw(parameters),
    reply: Type.Object({ data: Type.Unsafe<object>(entity.schema) }, closed),
    errors: [...ADMIN.errors, 'not found'],
    async handle({ params: { account_id, entity_id }, body }, dependencies) {
      const { as_user, ...supplied } = read(body)
      const { scope, userId } = await scopeOf(account_id, as_user, dependencies)
      const { store } = dependencies
      const id = String(entity_id)
      if (!(await store.first(entity.shown, { account: account_id, id, now: dependencies.clock.now() })))
        throw new NotThere(`The account ${account_id} has no ${one} ${id}.`)
      const principal = { userId, app: { id: NO_APP } }
      const { data } = await inOwnWords(
        updateOne(entity, { scope, principal, id, supplied: supplied as EntityInput<Fields> }, dependencies),
      )
      return json({ data })
    },
  })
}

/** Declares a GET that lists the advertising entities of one kind, with their neutral names. */
export function entityList<F extends Fields>(declared: Entity<F>) {
  const entity = declared as unknown as Entity
  const { many, table, filters = {} } = entity.declared
  const own = Object.entries(filters).map(([name, { schema, required }]) => [
    name,
    required ? schema : Type.Optional(schema),
  ])
  return endpoint({
    ...ADMIN,
    id: idOf('listAdmin', many),
    method: 'GET',
    path: `/admin/v1/accounts/{account_id}/${table}`,
    summary: `List ${many}`,
    description: `Lists the ${many} of an account, oldest first. Deleted ones are omitted.`,
    params: { account_id: accountId },
    query: { ...PAGE_PARAMETERS, ...(Object.fromEntries(own) as object) },
    reply: pageReply(Type.Unsafe<object>(entity.schema)),
    errors: [...ADMIN.errors, 'not found'],
    async handle({ params, query }, dependencies) {
      const { limit = DEFAULT_LIMIT, pagination_token, ...filtered } = query as PageQuery
      const { scope } = await scopeOf(params.account_id, undefined, dependencies)
      const cursor = pagination_token === undefined ? {} : { cursor: pagination_token }
      const page = { ...filtered, ...cursor, count: limit, with_deleted: false, with_total_count: false }
      const { data, next_cursor } = await inOwnWords(readItems(entity, { scope, query: page }, dependencies))
      const meta = { result_count: data.length, ...(next_cursor !== null && { next_token: next_cursor }) }
      return json({ data, meta })
    },
  })
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
async function scopeOf(id: string, who: string | undefined, { store }: AdminDependencies) {
  const account = await store.first(accountById, { id })
  if (!account || account.deleted === 1) throw new NotThere(`There is no account ${id}.`)
  const user = who === undefined ? undefined : await theUser(store, who)
  const userId = user?.id ?? (await store.first(administratorOf, { account: id }))?.user_id
  const { environment } = account
  const found =
    userId === undefined ? undefined : await store.first(accountOfUser, { id, userId, environment })
  if (!found || userId === undefined)
    throw new WrongValue('as_user', who ?? '', `The account ${id} has no such user.`)
  return { userId, scope: { accountId: id, account: found, roles: found.roles.split(',') as Role[] } }
}
