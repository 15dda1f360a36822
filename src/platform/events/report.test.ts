import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoggedEvent } from './event.ts'
import { SkippedEvent, SkippedStep } from './follower.ts'
import { reportTo } from './report.ts'

const event: LoggedEvent = {
  position: 7,
  at: 0,
  kind: 'post.published',
  subject: '1',
  data: { post_id: '1' },
}

/** What is logged of an error: the fields except the error, and the message. */
function logged(error: Error, remedy?: string) {
  const lines: unknown[] = []
  const log = { error: ({ err, ...fields }: { err: Error }, text: string) => lines.push([err, fields, text]) }
  reportTo(log as never, { name: 'search index', ...(remedy && { remedy }) })(error)
  const [[err, ...line] = []] = lines as [unknown[]]
  assert.equal(err, error)
  assert.equal(lines.length, 1)
  return line
}

test('a failure that passes is logged as one that is retried', () => {
  assert.deepEqual(logged(new Error('away')), [
    { consumer: 'search index' },
    'events could not be handled; they will be retried',
  ])
})

test('a skipped event is logged with its position and with what can be done', () => {
  const skipped = new SkippedEvent(event, 2, new TypeError('broken'))
  const fields = { consumer: 'search index', position: 7, event: 'post.published' }
  assert.deepEqual(logged(skipped, '`plaza search rebuild` repairs it'), [
    fields,
    'an event was skipped, it is not retried: `plaza search rebuild` repairs it',
  ])
  assert.deepEqual(logged(skipped), [
    fields,
    'an event was skipped, it is not retried: what would have followed is missing and does not come again',
  ])
})

test('a skipped preparation is logged with what can be done', () => {
  const skipped = new SkippedStep('prepare', new TypeError('broken'))
  assert.deepEqual(logged(skipped, '`plaza search rebuild` repairs it'), [
    { consumer: 'search index' },
    'what comes before the next events was skipped, it is not retried: `plaza search rebuild` repairs it',
  ])
})
