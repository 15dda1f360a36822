import { Type } from 'typebox'
import {
  hasRoom,
  MAX_AHEAD_MS,
  MAX_CURRENT,
  MAX_LOCALE,
  MAX_TITLE,
  makeBroadcast,
  PLAIN_SETTINGS,
} from '../../../domain/broadcasts/broadcasts.ts'
import { sourceById } from '../../../domain/broadcasts/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject, flag, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { lockedUserIn } from '../../../workbench/create/find-user.ts'
import { timeIn } from '../../../workbench/create/times.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { AdminBroadcast, EXAMPLE, presentBroadcast } from './broadcast.ts'
import { sourceId } from './sources/source.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 10_080

/** POST /admin/v1/broadcasts: starts or schedules a broadcast of a user. */
export const createAdminBroadcast = dataEndpoint({
  ...ADMIN,
  id: 'createBroadcast',
  method: 'POST',
  path: '/admin/v1/broadcasts',
  summary: 'Start or schedule a broadcast',
  description:
    'Makes a broadcast of a user that starts now, or with `starts_at` at that time: then it needs `minutes`, and the core API lists it as scheduled. Its source need not receive video.',
  body: closedObject({
    owner: userName('Owner: id or screen name.'),
    title: text(0, MAX_TITLE, 'Title.'),
    source_id: Type.Optional(sourceId),
    starts_at: Type.Optional(
      text(1, 100, 'When it starts: RFC 3339, or a distance from now such as `+2h`. Now by default.'),
    ),
    minutes: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: MAX_MINUTES },
        description: 'How long it lasts. By default until it is ended.',
      }),
    ),
    locale: Type.Optional(text(1, MAX_LOCALE, 'Locale, such as `en_US`.')),
    manual_publish: flag('Whether it waits for the call that starts it. Only with `starts_at`.'),
    available_for_replay: flag('Whether it can be watched after its end.'),
    locked: flag('Whether only its owner knows of it.'),
  }),
  status: 201,
  reply: closedObject({ data: AdminBroadcast }),
  errors: [...ADMIN.errors, 'conflict'],
  example: { body: { owner: 'ann', title: EXAMPLE.title }, reply: { data: EXAMPLE } },
  async handle({ body }, { store, ids }) {
    const data = await store.write(async (tx) => {
      const times = timesOf(body, tx.now)
      const owner = await lockedUserIn(tx, 'owner', body.owner)
      if (!(await hasRoom(tx, owner.id)))
        throw apiError('conflict', { explanation: `The user has ${MAX_CURRENT} broadcasts already.` })
      await checkSource(tx, body.source_id, owner.id)
      const settings = {
        ...{ ...PLAIN_SETTINGS, title: body.title, source_id: body.source_id ?? null },
        ...{ locale: body.locale ?? null, manual_publish: Number(!!body.manual_publish) },
        ...{ available_for_replay: Number(!!body.available_for_replay), locked: Number(!!body.locked) },
      }
      const row = await makeBroadcast(tx, { ...settings, user_id: owner.id, ...times }, { ids })
      return presentBroadcast(row, tx.now)
    })
    return json({ data })
  },
})

interface TimesBody {
  starts_at?: string
  minutes?: number
  manual_publish?: boolean
}

function timesOf({ starts_at: text, minutes, manual_publish: isManual }: TimesBody, now: number) {
  const lasts = minutes === undefined ? undefined : minutes * MINUTE_MS
  if (text === undefined) {
    if (isManual)
      throw new WrongValue('manual_publish', 'true', '`manual_publish` is for broadcasts with `starts_at`.')
    return { ends_at: lasts === undefined ? null : now + lasts }
  }
  const start = timeIn('starts_at', text, { now, latest: now + MAX_AHEAD_MS })
  if (start <= now) throw new WrongValue('starts_at', text, '`starts_at` must be in the future.')
  if (lasts === undefined) throw new WrongValue('minutes', '', '`minutes` is needed with `starts_at`.')
  return { scheduled: { start, end: start + lasts } }
}

async function checkSource(tx: Transaction, id: string | undefined, owner: string): Promise<void> {
  const found = id === undefined ? undefined : await tx.first(sourceById, { id })
  if (id !== undefined && found?.user_id !== owner)
    throw new WrongValue('source_id', id, `The user has no source ${id}.`)
}
