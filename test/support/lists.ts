import type { Context } from '../../src/app/start/context.ts'
import { addMember, createList, followList } from '../../src/domain/lists/lists.ts'
import { lockList } from '../../src/domain/lists/queries.ts'
import type { ListRow } from '../../src/domain/lists/tables.ts'

interface TestList {
  ownerId: string
  name?: string
  isPrivate?: boolean
  memberIds?: readonly string[]
  followerIds?: readonly string[]
}

/** A list with members and followers, who must exist. */
export const makeList = (
  context: Context,
  { ownerId, name = 'A list', isPrivate = false, memberIds = [], followerIds = [] }: TestList,
): Promise<ListRow> =>
  context.store.write(async (tx) => {
    const text = { owner_id: ownerId, name, description: '', private: Number(isPrivate) }
    const made = await createList(tx, text, context)
    if (!made) throw new Error('the owner has too many lists')
    const locked = async () => {
      const list = await tx.first(lockList, { id: made.id })
      if (!list) throw new Error('the list is gone')
      return list
    }
    for (const userId of memberIds) await addMember(tx, { list: await locked(), userId }, context)
    for (const userId of followerIds) await followList(tx, { list: await locked(), userId }, context)
    return locked()
  })
