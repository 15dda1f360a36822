import { Type } from 'typebox'
import {
  createSpace,
  MAX_COHOSTS,
  MAX_INVITED,
  MAX_SPEAKERS,
  MAX_TITLE,
} from '../../../domain/spaces/spaces.ts'
import { SPACE_EXTRAS } from '../../../domain/spaces/topics.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { userIn } from '../../../workbench/create/find-user.ts'
import { timeIn } from '../../../workbench/create/times.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { AdminSpace, changed, EXAMPLE, presentSpace } from './space.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 1_440
const MAX_AHEAD_MS = 30 * MAX_MINUTES * MINUTE_MS

const users = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(userName('Id or screen name.'), { maxItems, description }))

/** POST /admin/v1/spaces: starts or schedules a space. */
export const createAdminSpace = dataEndpoint({
  ...ADMIN,
  id: 'createSpace',
  method: 'POST',
  path: '/admin/v1/spaces',
  summary: 'Start or schedule a space',
  description:
    'Makes a space that starts now, or with `starts_at` within the next 30 days: it starts automatically then. The core API shows spaces but does not make them.',
  body: closedObject({
    creator: userName('Creator and first host: id or screen name.'),
    title: Type.String({
      pattern: `^[^\\p{Cc}]{1,${MAX_TITLE}}$`,
      description: `The title: up to ${MAX_TITLE} characters, none of them a control character.`,
    }),
    starts_at: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'When it starts: RFC 3339, or a distance from now such as `+2h`. Now by default.',
      }),
    ),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_MINUTES,
        description: 'How long it lasts. By default until it is ended.',
      }),
    ),
    lang: Type.Optional(
      Type.String({ pattern: '^[a-z]{2,3}$', description: 'Language code, such as `en`.' }),
    ),
    hosts: users(MAX_COHOSTS, 'Other hosts.'),
    speakers: users(MAX_SPEAKERS, 'Speakers.'),
    invited: users(MAX_INVITED, 'Users who are invited to speak.'),
    ...SPACE_EXTRAS,
    ticketed: Type.Optional(Type.Boolean({ description: 'Whether it sells tickets; false by default.' })),
  }),
  status: 201,
  reply: closedObject({ data: AdminSpace }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { body: { creator: 'ann', title: EXAMPLE.title, lang: 'en' }, reply: { data: EXAMPLE } },
  async handle({ body }, { store, clock, ids }) {
    const { title, lang = null, minutes, creator, ticketed: isTicketed = false } = body
    if (isBlank(title)) throw new WrongValue('title', title, '`title` must have a visible character.')
    const startsAt = startOf(body.starts_at, clock.now())
    const lastsMs = minutes === undefined ? undefined : minutes * MINUTE_MS
    const row = await changed(
      store.write(async (tx) => {
        const people = {
          creatorId: (await userIn(tx, 'creator', creator)).id,
          cohostIds: await idsOf(tx, 'hosts', body.hosts),
          speakerIds: await idsOf(tx, 'speakers', body.speakers),
          invitedIds: await idsOf(tx, 'invited', body.invited),
        }
        const extras = { topics: body.topics, subscriberCount: body.subscriber_count }
        const space = { title, lang, startsAt, lastsMs, isTicketed, ...extras, ...people }
        return createSpace(tx, space, { ids })
      }),
    )
    return json({ data: presentSpace(row, clock.now()) })
  },
})

function startOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const startsAt = timeIn('starts_at', text, { now, latest: now + MAX_AHEAD_MS })
  if (startsAt > now) return startsAt
  throw new WrongValue('starts_at', text, '`starts_at` must be within the next 30 days.')
}

async function idsOf(tx: Transaction, member: string, names: readonly string[] = []): Promise<string[]> {
  const found = new Set<string>()
  for (const name of names) found.add((await userIn(tx, member, name)).id)
  return [...found]
}
