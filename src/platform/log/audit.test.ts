import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pino from 'pino'
import { type Opened, stages } from '../../../test/support/stages.ts'
import { until } from '../../../test/support/until.ts'
import { setSuspended } from '../../identity/apps/suspension.ts'
import type { SeedRecord } from '../../workbench/create/seeded.ts'

interface AuditLine {
  audit?: true
  event: string
  happened_at: string
}

for (const stage of stages) {
  describe(`the audit log: ${stage.name}`, { skip: stage.skip }, () => {
    const lines: AuditLine[] = []
    const log = pino({ level: 'info', base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
    let opened: Opened
    before(async () => {
      opened = await stage.open({}, { log })
    })
    after(() => opened.close())
    // The seed grants access too.
    const audited = () => lines.filter(({ audit, event }) => audit && !String(event).startsWith('access.'))

    test('has one line for each suspension of a user or app, and for its end, on whichever node it happens', async () => {
      const nodes = stage.shared ? [opened.plaza, await opened.second()] : [opened.plaza, opened.plaza]
      const { users, apps } = opened.plaza.seeded as SeedRecord
      const [userId, appId] = [users[0]?.id as string, apps[0]?.id as string]
      for (const [index, suspended] of [true, false].entries())
        await nodes[index]?.context.store.write(async (tx) => {
          await setSuspended(tx, { kind: 'user', id: userId, suspended })
          await setSuspended(tx, { kind: 'app', id: appId, suspended })
          await setSuspended(tx, { kind: 'app', id: 'nobody', suspended })
        })
      // An event that another node commits is found, at the latest, by polling the log.
      await until('the lines', () => {
        opened.plaza.clock.advance(10_000)
        return audited().length >= 4
      })
      assert.deepEqual(
        audited().map(({ event, ...line }) => [event, Object.entries(line).at(-2)]),
        [
          ['user.suspended', ['user_id', userId]],
          ['app.suspended', ['app_id', appId]],
          ['user.restored', ['user_id', userId]],
          ['app.restored', ['app_id', appId]],
        ],
      )
      assert.equal(audited()[0]?.happened_at, '2026-03-01T12:00:00.000Z')
    })
  })
}
