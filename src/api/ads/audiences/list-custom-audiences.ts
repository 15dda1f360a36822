import { Type } from 'typebox'
import { choice } from '../../../platform/http/schema.ts'
import { adsEndpoint } from '../endpoint.ts'
import { type ListDeclaration, listParameters, pageQuery, readPage } from '../entity/list.ts'
import type { Grant } from '../entity/types.ts'
import { customAudiences, deriveAudiences, tailoredAudiences } from './custom-audiences.ts'

const listOf = ({ declared }: typeof customAudiences, id: string) => {
  /** Audiences shared with an account. None of them is deleted. */
  const shared: ListDeclaration = {
    table: 'shared_audiences',
    owner: 'granted_account_id',
    path: `${declared.path} shared`,
    filters: declared.filters ?? {},
    search: true,
    sort: declared.sort ?? {},
  }
  return adsEndpoint({
    id,
    method: 'GET',
    path: declared.path,
    summary: `List ${declared.many}`,
    description:
      'Returns the audiences of the account, or with `permission_scope=SHARED` those of other accounts that it may use. Oldest first by default, by name when searched. Ids of other audiences in a filter are ignored.',
    source: declared.source,
    right: 'read',
    query: {
      ...listParameters(declared),
      permission_scope: Type.Optional(
        choice(
          ['OWNER', 'SHARED'],
          'Whether to return audiences of the account or shared audiences; `OWNER` by default.',
        ),
      ),
    },
    codes: ['EXCLUSIVE_PARAMETERS'],
    data: Type.Array(customAudiences.schema),
    beside: ['cursor', 'optional total'],
    async handle({ scope, query }, context) {
      const isShared = query.permission_scope === 'SHARED'
      const page = pageQuery({ ...query, ...(isShared && { with_deleted: false }) })
      const own = [...customAudiences.columns]
      const columns = isShared ? [...own, 'account_id', 'permission_level'] : own
      const listed = isShared ? shared : declared
      const { rows, ...rest } = await readPage(listed, { owner: scope.accountId, columns, page }, context)
      const grants = new Map<string, Grant>()
      const items = rows.map((row) => {
        if (isShared)
          grants.set(String(row.id), {
            ownerId: String(row.account_id),
            level: String(row.permission_level),
          })
        return customAudiences.codec.decode(row)
      })
      await deriveAudiences(
        items,
        { accountId: scope.accountId, grantOf: ({ id }) => grants.get(id) },
        context,
      )
      return { data: items, ...rest }
    },
  })
}

export const listCustomAudiences = listOf(customAudiences, 'listCustomAudiences')
export const listTailoredAudiences = listOf(tailoredAudiences, 'listTailoredAudiences')
