import { Type } from 'typebox'
import type { Understood } from '../../../domain/audience-members/check.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { msg } from '../../../platform/http/message.ts'
import { RawJson } from '../../../platform/http/reply.ts'
import { base36 } from '../../../platform/http/schema.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { lockAccountRow } from '../accounts/queries.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { entity } from '../entity/entity.ts'
import { fields } from './do-not-reach-list-fields.ts'
import { doNotReachListOf } from './queries.ts'
import { enqueueRemoval } from './removal.ts'
import { DELETED_TARGETABILITY, targetabilityOf } from './targetability.ts'
import { accept, Counts, countsOf, MAX_UPLOAD_BYTES, uploadBody } from './upload.ts'

const NAME = 'Do Not Reach List'

/** The people whom an account does not want to reach at all. An account has one such list. */
export const doNotReachLists = entity({
  one: 'do not reach list',
  source: 'Audiences and insights',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'create', 'delete'],
  codes: ['INVALID'],
  indexes: {
    do_not_reach_lists_only: { on: ['account_id'], unique: true, where: 'deleted = 0' },
  },
  fields,
  complete: async (supplied) => ({ description: null, ...supplied }),
  async check(_, { before, scope, tx }) {
    if (before) return []
    // Prevents two concurrent requests from creating two lists.
    await tx.first(lockAccountRow, { id: scope.accountId })
    const known = await tx.first(doNotReachListOf, { account: scope.accountId })
    return known
      ? [
          wrongAttribute(
            'account_id',
            msg`Account ${scope.accountId} already has the do not reach list ${known.id}`,
          ),
        ]
      : []
  },
  afterDelete: ({ id: audience }, { tx, scope }) =>
    enqueueRemoval(tx, { audience, account: scope.accountId }),
  async derive(items, { context: { membership, config } }) {
    const states = await membership.states(items.map(({ id }) => id))
    for (const list of items) {
      const targetability = list.deleted
        ? DELETED_TARGETABILITY
        : targetabilityOf(states.get(list.id), config)
      list.name = NAME
      list.targetable = targetability.targetable
      list.reasons_not_targetable = targetability.reasons
      list.list_size = targetability.size
    }
  },
})

export const batchDoNotReachListUsers = adsEndpoint({
  id: 'batchDoNotReachListUsers',
  method: 'POST',
  path: '/batch/accounts/{account_id}/do_not_reach_lists/{do_not_reach_list_id}/users',
  summary: 'Add and remove the members of a do not reach list',
  description:
    'Performs all operations in order, or none. The response contains the counts of each operation. It is sent once the upload is durable; until the upload is merged, the list is `PROCESSING`.',
  source: 'Do-not-reach users body',
  right: 'campaigns',
  limits: LIMITS.members,
  params: { do_not_reach_list_id: base36('The do not reach list.') },
  body: uploadBody(['email', 'phone_number'], { effective: false }),
  maxBodyBytes: MAX_UPLOAD_BYTES,
  codes: ['NOT_FOUND', 'REQUEST_TOO_COMPLEX'],
  data: Type.Array(Counts),
  requests: true,
  async handle({ scope, params: { do_not_reach_list_id: id }, body }, context) {
    const { accountId } = scope
    const row = await context.store.first(doNotReachLists.rows.byId, { account: accountId, id })
    if (row?.deleted !== 0) throw doNotReachLists.missing(accountId, id)
    const requestOf = operationsText({ accountId, id }, context.naming.vocabulary)
    const upload = { account: accountId, audience: id, target: 'do not reach list', body } as const
    const { understood } = await accept(upload, context, requestOf)
    return {
      data: understood.map(({ users }) => countsOf(users)),
      request: new RawJson(requestOf(understood)),
    }
  },
})

/** The parsed operations of an upload as JSON text, without the users. */
function operationsText({ accountId, id }: { accountId: string; id: string }, { name }: Vocabulary) {
  const path = { [name('account_id')]: accountId, [name('do_not_reach_list_id')]: id }
  return (understood: readonly Understood[]): string =>
    JSON.stringify(
      understood.map(({ type, expiresAt }) => ({
        [name('params')]: {
          ...path,
          ...(expiresAt !== undefined && { [name('expires_at')]: instantText(expiresAt) }),
        },
        [name('operation_type')]: type,
      })),
    )
}
