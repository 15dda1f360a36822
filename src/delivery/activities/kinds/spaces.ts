import { Type } from 'typebox'
import { spaceEnded, spaceStarted } from '../../../domain/spaces/events.ts'
import type { EventKind } from '../../../platform/events/event.ts'
import { activityKind, type KindOf, sourceOf } from '../kind.ts'
import { closed, WrappedUser } from '../payloads.ts'

// A type, not an interface: event data need an index signature.
type Space = { space_id: string; creator_id: string }

const spaceKind = (change: 'start' | 'end', description: string) =>
  activityKind<Space>({
    name: `spaces.${change}`,
    description,
    payload: Type.Object(
      {
        user: WrappedUser,
        broadcast_id: Type.String({ description: 'The space.' }),
        event_type: Type.Enum([`spaces_${change}`], { description: 'What happened.' }),
      },
      closed,
    ),
    async prepare(facts, reader) {
      const users = await reader.users(facts.map(({ creator_id }) => creator_id))
      return ({ space_id, creator_id }) => {
        const user = users(creator_id)
        return (
          user && {
            payload: { user: { data: user }, broadcast_id: space_id, event_type: `spaces_${change}` },
          }
        )
      }
    },
  })

export const start = spaceKind('start', 'A space of the user goes live.')
export const end = spaceKind('end', 'A space of the user ends.')

export const spaceKinds = [start, end]

const ofCreator = (event: EventKind<Space>, kind: KindOf<Space>) =>
  sourceOf(event, (facts, logged) => [kind.of({ event: logged, facts, subject: { user: facts.creator_id } })])

export const spaceSources = [ofCreator(spaceStarted, start), ofCreator(spaceEnded, end)]
