import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { profilesByIds, userByScreenName } from '../../../identity/users/queries.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { msg } from '../../../platform/http/message.ts'
import { instant, long } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { entity } from '../entity/entity.ts'
import type { EntityItem } from '../entity/fields.ts'
import { byIds } from '../entity/filters.ts'
import type { Bound, Change, ListValues, Update, WriteContext } from '../entity/types.ts'
import { throwErrors } from '../entity/write.ts'
import { blankName } from '../messages.ts'
import { bodies, entitiesOfTest, fields, type TestStatus, testStatus } from './fields.ts'
import { changedGroups, newGroups, wrongGroups } from './groups.ts'
import { addEntities, removeEntities, setUpdater, testedEntities } from './queries.ts'
import { statusAt, wrongState, wrongWindow } from './window.ts'

const MAX_SEARCH_LENGTH = 80
/** A whole test that is sent back: 30 groups of 200 entities, with names and descriptions. */
const MAX_BODY_BYTES = 256 * 1024

/** A test that shows campaigns or line items to separate groups of people for a while. */
export const abTests = entity({
  one: 'A/B test',
  source: 'Campaign management (reference: A/B tests)',
  notFound: 'NOT_FOUND',
  describe: {
    create:
      'Creates a test with a JSON body. It compares campaigns, or all line items of one campaign. An error response lists every rule that the request breaks.',
    update:
      'Changes a test with a JSON body, until it starts; `end_time` until it ends. You can send back a whole object: members that cannot be set must have the stored value.',
    delete:
      'Deletion is final, and ends a live test. The object is still returned with `with_deleted`. Its campaigns and line items may take part in another test. Deleting it again returns 404.',
  },
  bodies,
  maxBodyBytes: MAX_BODY_BYTES,
  echo: { body: true },
  newestFirst: true,
  filters: {
    ab_test_ids: byIds('A/B test'),
    user_id: { column: 'creator_id', schema: long('Returns only tests that this user created.') },
    username: {
      column: 'creator_id',
      schema: Type.String({
        pattern: '^[A-Za-z0-9_]{1,15}$',
        description: 'The same by name. Not allowed with `user_id`.',
      }),
    },
  },
  ranges: {
    status: { schema: testStatus, bounds: boundsOfStatus },
    live_during: {
      schema: Type.Array(instant('A time.'), {
        minItems: 2,
        maxItems: 2,
        description: 'Two times, the earlier one first. Returns only tests that are live between them.',
      }),
      bounds: ([from = 0, until = 0]: readonly number[]) => [
        { column: 'end_time', by: 'above', value: from },
        { column: 'start_time', by: 'below', value: until },
      ],
    },
  },
  list: { codes: ['INVALID_TIME_WINDOW'], narrow },
  search: MAX_SEARCH_LENGTH,
  sort: { start_time: 'start_time', end_time: 'end_time' },
  nameKey: true,
  indexes: {
    ab_tests_by_name: ['account_id', 'visibility', 'name_key', 'id'],
    ab_tests_created: ['creator_id'],
    ab_tests_updated: ['updater_id'],
  },
  delivered: true,
  codes: ['INVALID', 'INVALID_TIME_WINDOW', 'MISSING_PARAMETER'],
  fields,
  complete: async (supplied, work) => ({
    name: null,
    description: null,
    ...supplied,
    user_groups: newGroups(supplied.user_groups, work),
    creator_id: work.caller.userId,
    updater_id: work.caller.userId,
  }),
  adjust,
  check: async (item, change) => [
    ...(item.name === null || !isBlank(item.name) ? [] : [blankName(item.name)]),
    ...(await wrongDivision(item, change)),
  ],
  async after(item, change) {
    if (change.before && change.supplied.user_groups === undefined) return
    await freeEntities(item, change)
    const ids = entitiesOfTest(item)
    await addEntities(
      change.tx,
      ids.map((entity_id) => ({ account_id: change.scope.accountId, entity_id, ab_test_id: item.id })),
    )
  },
  async afterDelete(item, work) {
    const { tx, scope, caller } = work
    await freeEntities(item, work)
    await tx.run(setUpdater, { account: scope.accountId, id: item.id, user: caller.userId })
    item.updater_id = caller.userId
  },
  async derive(items, { scope, context }) {
    const names = await namesOf(items, context)
    const personOf = (id: string | null) => names.get(id ?? '') ?? null
    const now = context.clock.now()
    for (const item of items) {
      item.status = statusAt(item, now)
      item.entities = item.user_groups.map(({ id }) => ({ id, account_id: scope.accountId }))
      item.created_by = personOf(item.creator_id)
      item.updated_by = personOf(item.updater_id)
    }
  },
})

type ABTest = EntityItem<typeof fields>

const freeEntities = ({ id }: { readonly id: string }, { tx, scope }: WriteContext) =>
  tx.run(removeEntities, { account: scope.accountId, test: id })

/** Times are whole seconds, but the clock is not. */
function boundsOfStatus(status: TestStatus, now: number): readonly Bound[] {
  const bounds = {
    SCHEDULED: [{ column: 'start_time', by: 'above', value: now }],
    LIVE: [
      { column: 'end_time', by: 'above', value: now },
      { column: 'start_time', by: 'below', value: now + 1 },
    ],
    COMPLETED: [{ column: 'end_time', by: 'below', value: now + 1 }],
  } as const
  return bounds[status]
}

async function narrow(
  query: ListValues,
  { context: { store } }: { context: AdsDependencies },
): Promise<ListValues | undefined> {
  const { username, ...rest } = query
  const [from = 0, until = 0] = (query.live_during ?? []) as readonly number[]
  if (from > until)
    throw rejected('live_during', msg`Expected the earlier time first for live_during`, 'INVALID_TIME_WINDOW')
  if (username === undefined) return query
  if (query.user_id !== undefined)
    throw rejected('username', msg`user_id and username are exclusive parameters`, 'EXCLUSIVE_PARAMETERS')
  const user = await store.first(userByScreenName, { key: String(username).toLowerCase() })
  return user && { ...rest, user_id: user.id }
}

function adjust(item: ABTest, { before, supplied, now, caller, context }: Update<typeof fields>) {
  throwErrors(wrongState(before, supplied, now))
  const { user_groups, ...others } = supplied
  const groups = user_groups ? changedGroups(user_groups, before.user_groups, { context }) : item.user_groups
  if (Object.keys(others).length === 0 && isDeepStrictEqual(groups, before.user_groups))
    return { user_groups: before.user_groups }
  return { user_groups: groups, updater_id: caller.userId }
}

/** The rules about groups and times that a new or changed test breaks. */
async function wrongDivision(item: ABTest, change: Change<typeof fields>) {
  const { tx, scope, before, supplied, now } = change
  const isDivided = !before || supplied.user_groups !== undefined
  if (!isDivided && supplied.start_time === undefined && supplied.end_time === undefined) return []
  const { id, entity_type, user_groups } = item
  const args = { account: scope.accountId, ids: JSON.stringify(entitiesOfTest(item)) }
  const rows = await tx.all(testedEntities[entity_type], args)
  const known = new Set(before ? entitiesOfTest(before) : [])
  return [
    ...(isDivided ? await wrongGroups({ id, entity_type, user_groups, rows, before: known }, change) : []),
    ...wrongWindow(item, { now, before, rows }),
  ]
}

/** Who made tests, by id. Users who are deleted are missing. */
async function namesOf(items: readonly ABTest[], { store }: Pick<AdsDependencies, 'store'>) {
  const ids = new Set(
    items.flatMap(({ creator_id, updater_id }) => [creator_id ?? [], updater_id ?? []].flat()),
  )
  const users = ids.size === 0 ? [] : await store.all(profilesByIds, { ids: JSON.stringify([...ids]) })
  return new Map(users.map(({ id, screen_name }) => [id, { user_id: id, username: screen_name }]))
}
