import type { Context } from '../../src/app/start/context.ts'
import { addNewCommunity } from '../../src/workbench/create/communities.ts'

type TestCommunity = Partial<Parameters<typeof addNewCommunity>[1]>

/** A community with members, who are named by their ids. Resolves to its id. */
export const makeCommunity = async (
  { store, ids }: Pick<Context, 'store' | 'ids'>,
  community: TestCommunity = {},
): Promise<string> =>
  (await store.write((tx) => addNewCommunity(tx, { name: 'A community', ...community }, { ids }))).id
