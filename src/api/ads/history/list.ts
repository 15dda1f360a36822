import { Type } from 'typebox'
import { instantText } from '../../../platform/common/instant.ts'
import { msg, word } from '../../../platform/http/message.ts'
import {
  base36,
  choice,
  closedComponent,
  closedObject,
  instant,
  long,
} from '../../../platform/http/schema.ts'
import { AdsApiError, adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { HISTORY_KINDS } from '../entity/history-kinds.ts'
import { cutToPage, paging } from '../entity/list.ts'
import { emptyWindow } from '../messages.ts'
import { historyOfEntity, historyOfEntityByUser } from './queries.ts'
import { writtenChange } from './written.ts'

const HOUR_MS = 3_600_000

const Entry = closedComponent('AccountChange', {
  change_by: closedObject({
    user_id: long('Who made the change.'),
    platform: choice(['API_OTHER'], 'Platform of the change.'),
  }),
  changes: Type.Object({}, { description: 'For an update: each changed member with `before` and `after`.' }),
  change_time: instant('When the change was made.'),
  entity_id: base36('Entity that was changed.'),
  entity: choice([...HISTORY_KINDS], 'Type of the entity.', 'HistoryEntity'),
  entity_data: Type.Object({}, { description: 'The entity after the change, without ids of its parents.' }),
  change_type: choice(['CREATE', 'UPDATE', 'DELETE'], 'Type of change.'),
})

export const listAccountHistory = adsEndpoint({
  id: 'listAccountHistory',
  method: 'GET',
  path: '/accounts/{account_id}/account_history',
  summary: 'List the changes of an entity',
  description:
    'Returns who changed an entity and when, with the values before and after. Newest first, from `start_time` (inclusive) to `end_time` (exclusive). Only for apps of `--history-apps`.',
  source: 'Campaign management',
  right: 'read',
  query: {
    entity_type: choice([...HISTORY_KINDS], 'Type of the entity.', 'HistoryEntity'),
    entity_id: base36('The entity, deleted or not.'),
    start_time: instant('Start: a full hour.'),
    end_time: instant('End: a full hour, later than `start_time`.'),
    user_id: Type.Optional(long('Returns only changes made by this user.')),
    ...paging(),
  },
  codes: ['INVALID_TIME_WINDOW', 'UNAUTHORIZED_CLIENT_APPLICATION'],
  data: Type.Array(Entry),
  beside: ['cursor'],
  async handle({ scope: { accountId }, principal, query }, { store, sealer, naming, config }) {
    rejectOtherApps(principal.app.id, config.historyApps)
    rejectWrongWindow(query.start_time, query.end_time)
    const { entity_type, entity_id, start_time, end_time, user_id, count, cursor } = query
    const list = JSON.stringify(['history', accountId, entity_type, entity_id, start_time, end_time, user_id])
    const [beforeTime, beforeId] = cursor === undefined ? [end_time, ''] : positionOf(sealer, list, cursor, 2)
    const args = {
      account: accountId,
      entity: entity_type,
      entityId: entity_id,
      start: start_time,
      beforeTime: Number(beforeTime),
      beforeId: String(beforeId),
      limit: Number(count) + 1,
    }
    const rows =
      user_id === undefined
        ? await store.all(historyOfEntity, args)
        : await store.all(historyOfEntityByUser, { ...args, userId: user_id })
    const last = cutToPage(rows, Number(count))
    return {
      data: rows.map((row) => ({
        change_by: { user_id: row.user_id, platform: 'API_OTHER' as const },
        change_time: row.change_time,
        entity_id: row.entity_id,
        entity: row.entity as typeof entity_type,
        change_type: row.change_type as 'CREATE',
        ...writtenChange(row, naming.vocabulary),
      })),
      next_cursor: last ? cursorOf(sealer, list, [last.change_time, last.id]) : null,
    }
  },
})

/** The history is a beta feature, which the operator may restrict to some apps. */
function rejectOtherApps(appId: string, allowed: readonly string[]): void {
  if (allowed.includes('all') || allowed.includes(appId)) return
  throw adsApiError({
    code: 'UNAUTHORIZED_CLIENT_APPLICATION',
    message: msg`The app may not read the history of accounts`,
  })
}

function rejectWrongWindow(start: number, end: number): void {
  const errors: AdsError[] = Object.entries({ start_time: start, end_time: end })
    .filter(([, time]) => time % HOUR_MS !== 0)
    .map(([name, time]) =>
      wrongParameter(name, msg`Expected a full hour, got "${instantText(time)}" for ${word(name)}`),
    )
  if (errors.length === 0 && end <= start) errors.push(emptyWindow(start, end))
  if (errors.length > 0) throw new AdsApiError({ errors })
}
