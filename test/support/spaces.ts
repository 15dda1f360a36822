import type { Context } from '../../src/app/start/context.ts'
import { createSpace, type NewSpace } from '../../src/domain/spaces/spaces.ts'
import type { SpaceRow } from '../../src/domain/spaces/tables.ts'

/** A space of a user, live unless it starts later, created without a command. */
export const makeSpace = (
  context: Context,
  space: Partial<NewSpace> & { creatorId: string },
): Promise<SpaceRow> =>
  context.store.write((tx) =>
    createSpace(
      tx,
      {
        title: 'A space',
        lang: null,
        cohostIds: [],
        speakerIds: [],
        invitedIds: [],
        startsAt: undefined,
        lastsMs: undefined,
        ...space,
      },
      context,
    ),
  )
