import { Type } from 'typebox'
import { withArticle } from '../../../platform/common/article.ts'
import { nextBase36 } from '../../../platform/common/ids.ts'
import { msg } from '../../../platform/http/message.ts'
import {
  base36,
  choice,
  closedComponent,
  componentName,
  ids,
  instant,
} from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { type ListDeclaration, pageQuery, paging, readPage, sortBy, withTotalCount } from '../entity/list.ts'
import { VISIBLE } from '../entity/queries.ts'
import { idIn } from '../entity/types.ts'
import type { AccountScope } from '../scope.ts'
import { ownAudience } from './access.ts'
import { LEVELS, type Level } from './custom-audience-fields.ts'
import {
  accountToGrant,
  addPermission,
  changePermission,
  hasFeature,
  permissionById,
  permissionOf,
  removePermission,
} from './queries.ts'
import type { AudiencePermissionRow } from './tables.ts'

const SOURCE = 'Audiences and insights'

/** The name of permissions in one version of the API: `tailored` or `custom`. */
interface PermissionsDeclaration {
  version?: string
  kind: string
  /** What the ids of its operations call it. */
  name: string
}

const columns = [
  'id',
  'audience_id',
  'granted_account_id',
  'permission_level',
  'created_at',
  'updated_at',
  'deleted',
]

const CODES = ['ACTION_NOT_ALLOWED', 'TAILORED_AUDIENCE_NOT_FOUND'] as const

/** The parts of permission endpoints that contain this name. */
function partsOf({ version, kind, name }: PermissionsDeclaration) {
  const audienceId = `${kind}_audience_id`
  const permissionId = `${kind}_audience_permission_id`
  const path = `/accounts/{account_id}/${kind}_audiences/{${audienceId}}/permissions`
  const permission = closedComponent(componentName(kind, 'audience permission'), {
    id: base36('Its id.'),
    [audienceId]: base36('The audience.'),
    granted_account_id: base36('The account that may use it.'),
    permission_level: choice([...LEVELS], 'Whether the account may also write.', 'PermissionLevel'),
    created_at: instant('When it was created.'),
    updated_at: instant('When it was last updated.'),
    deleted: Type.Boolean({ description: 'Whether it was deleted.' }),
  })
  const listed: ListDeclaration = {
    table: 'audience_permissions',
    owner: 'audience_id',
    path,
    filters: {
      granted_account_ids: {
        column: 'granted_account_id',
        schema: ids(base36('An account.'), 'Returns only permissions of these accounts.'),
      },
      [`${permissionId}s`]: {
        column: 'id',
        schema: ids(base36('A permission.'), 'Returns only the items with these ids.'),
      },
    },
  }
  return {
    kind,
    path,
    audienceId,
    permissionId,
    permission,
    listed,
    endpoint: `${name}AudiencePermission`,
    params: { [audienceId]: base36('The audience.') },
    common: { ...(version !== undefined && { version }), source: SOURCE },
    shown: ({ audience_id, deleted, ...row }: AudiencePermissionRow) => ({
      ...row,
      [audienceId]: audience_id,
      deleted: deleted === 1,
    }),
  }
}

type PermissionEndpointParts = ReturnType<typeof partsOf>

const listPermissions = ({ endpoint, kind, audienceId, listed, shown, ...words }: PermissionEndpointParts) =>
  adsEndpoint({
    ...words.common,
    id: `list${endpoint}s`,
    method: 'GET',
    path: words.path,
    summary: `List the permissions of ${withArticle(kind)} audience`,
    description:
      'Lists the accounts that may use the audience. Only the owner of the audience may list them.',
    right: 'read',
    params: words.params,
    query: {
      ...Object.fromEntries(
        Object.entries(listed.filters ?? {}).map(([name, { schema }]) => [name, Type.Optional(schema)]),
      ),
      ...paging(),
      sort_by: sortBy(['created_at', 'updated_at']),
      with_total_count: withTotalCount,
    },
    codes: [...CODES, 'EXCLUSIVE_PARAMETERS'],
    data: Type.Array(words.permission),
    beside: ['cursor', 'optional total'],
    async handle({ scope, params, query }, context) {
      const owner = idIn(params, audienceId)
      await ownAudience(owner, scope, context.store, audienceId)
      const page = pageQuery({ ...query, with_deleted: false })
      const { rows, ...rest } = await readPage(listed, { owner, columns, page }, context)
      return {
        data: rows.map((row) => shown(row as AudiencePermissionRow)),
        ...rest,
      }
    },
  })

const createPermission = ({ endpoint, kind, audienceId, shown, ...words }: PermissionEndpointParts) =>
  adsEndpoint({
    ...words.common,
    id: `create${endpoint}`,
    method: 'POST',
    path: words.path,
    summary: `Share ${withArticle(kind)} audience`,
    description:
      'Shares the audience with an account of the same business, or with any account where the owner has the feature `SHARE_AUDIENCE_OUTSIDE_BUSINESS`. An account that has a permission already gets the new level.',
    right: 'campaigns',
    params: words.params,
    form: {
      granted_account_id: base36('The account that may use it.'),
      permission_level: choice([...LEVELS], 'Whether the account may also write.', 'PermissionLevel'),
    },
    status: 201,
    codes: [...CODES, 'FEATURE_NOT_AVAILABLE', 'ACCOUNT_NOT_FOUND'],
    data: words.permission,
    async handle({ scope, params, form }, context) {
      const grantInput = { audience: idIn(params, audienceId), ...form }
      return context.store.write(async (tx) => {
        // Prevents two concurrent requests from creating two permissions.
        await tx.first(lockAccountRow, { id: scope.accountId })
        await ownAudience(grantInput.audience, scope, tx, audienceId)
        await rejectGrant(tx, scope, form.granted_account_id)
        return { data: shown(await grant(tx, grantInput, { scope, context })) }
      })
    },
  })

const deletePermission = ({
  endpoint,
  kind,
  audienceId,
  permissionId,
  shown,
  ...words
}: PermissionEndpointParts) =>
  adsEndpoint({
    ...words.common,
    id: `delete${endpoint}`,
    method: 'DELETE',
    path: `${words.path}/{${permissionId}}`,
    summary: `Stop sharing ${withArticle(kind)} audience with an account`,
    description:
      'The account can no longer create targeting with the audience. Existing targeting continues. Deleting the permission again returns 404.',
    right: 'campaigns',
    params: { ...words.params, [permissionId]: base36('The permission.') },
    codes: [...CODES, 'NOT_FOUND'],
    data: words.permission,
    async handle({ scope, params }, { store, clock }) {
      const [audience, id] = [idIn(params, audienceId), idIn(params, permissionId)]
      return store.write(async (tx) => {
        await ownAudience(audience, scope, tx, audienceId)
        const row = await tx.first(permissionById, { audience, id })
        if (!row) throw unknownPermission(audience, id, permissionId)
        const now = clock.now()
        await tx.run(removePermission, { audience, id, now })
        return { data: shown({ ...row, updated_at: now, deleted: 1 }) }
      })
    },
  })

const unknownPermission = (audience: string, id: string, parameter: string) =>
  rejected(parameter, msg`Permission ${id} was not found for Custom Audience ${audience}`, 'NOT_FOUND')

/**
 * Audiences stay within their business, unless their account may share them with anyone (interface,
 * Rules for permissions).
 */
async function rejectGrant(
  tx: Transaction,
  { accountId, account }: AccountScope,
  granted: string,
): Promise<void> {
  if (granted === accountId)
    throw rejected('granted_account_id', msg`An account cannot share an audience with itself`)
  const other = await tx.first(accountToGrant, { id: granted, environment: account.environment })
  if (!other) throw rejected('granted_account_id', msg`Account ${granted} was not found`, 'ACCOUNT_NOT_FOUND')
  if (account.business_id !== null && account.business_id === other.business_id) return
  if (await tx.first(hasFeature, { account: accountId, feature: 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' })) return
  throw rejected(
    'granted_account_id',
    msg`Account ${granted} is not of the same business, and Account ${accountId} may not share outside its business`,
    'FEATURE_NOT_AVAILABLE',
  )
}

/** Grants an account a permission, or changes its level. */
async function grant(
  tx: Transaction,
  grantInput: { audience: string; granted_account_id: string; permission_level: Level },
  {
    scope,
    context: { clock, ids: source },
  }: { scope: AccountScope; context: Pick<AdsDependencies, 'clock' | 'ids'> },
): Promise<AudiencePermissionRow> {
  const { audience, granted_account_id: granted, permission_level: level } = grantInput
  const now = clock.now()
  const known = await tx.first(permissionOf, { audience, granted })
  if (known) {
    if (known.permission_level === level) return known
    await tx.run(changePermission, { audience, id: known.id, level, now })
    return { ...known, permission_level: level, updated_at: now }
  }
  const row: AudiencePermissionRow = {
    audience_id: audience,
    id: nextBase36(source),
    account_id: scope.accountId,
    granted_account_id: granted,
    permission_level: level,
    visibility: VISIBLE,
    created_at: now,
    updated_at: now,
    deleted: 0,
  }
  await tx.run(addPermission, row)
  return row
}

/**
 * The interface has permissions only in version 5. The current version also has them, under both
 * names of audiences.
 */
const namings: readonly PermissionsDeclaration[] = [
  { version: '5', kind: 'tailored', name: 'Tailored' },
  { kind: 'tailored', name: 'CurrentTailored' },
  { kind: 'custom', name: 'Custom' },
]

export const audiencePermissions = {
  endpoints: namings
    .map(partsOf)
    .flatMap((words) => [listPermissions(words), createPermission(words), deletePermission(words)]),
}
