import { withArticle } from '../../../platform/common/article.ts'
import type { AdsEndpoint } from '../endpoint.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { withDeleted } from './list.ts'
import { DRAFT, VISIBLE } from './queries.ts'
import type { Entity } from './types.ts'
import { idOf, ownerOf } from './types.ts'

/** Gets one entity by id. A deleted one, or one whose parent is deleted, is found only with `with_deleted`. */
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
      const itemId = String((params as Record<string, unknown>)[id])
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
