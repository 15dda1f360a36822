import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './text-line.ts'

/** Without the time, which is that of the machine's zone. */
const shown = (line: object) => {
  const text = textOf(JSON.stringify({ level: 30, time: '2026-03-01T12:00:00.123Z', ...line }))
  assert.match(text, /^[0-2][0-9]:[0-5][0-9]:00\.123 /)
  return text.slice('00:00:00.000 '.length)
}

test('a request is one line', () => {
  assert.equal(
    shown({
      ...{ request_id: '5f1e', host: 'core', method: 'GET', path: '/2/users/me', status: 401, ms: 1.4 },
      ...{ error: 'could not authenticate', detail: 'signature mismatch' },
    }),
    'INFO  401 GET /2/users/me 1.4 ms request_id=5f1e host=core error=could not authenticate detail=signature mismatch',
  )
})

test('other lines have their message, members and the stack of an error', () => {
  assert.equal(shown({ level: 40, msg: 'slow', seconds: 3 }), 'WARN  slow seconds=3')
  assert.equal(
    shown({ level: 50, msg: 'failed', err: { message: 'gone', stack: 'Error: gone\n    at x' } }),
    'ERROR failed\nError: gone\n    at x',
  )
})

test('control characters of clients are escaped', () => {
  assert.equal(
    shown({ level: 40, msg: 'a\u001b[2Jb\nINFO  c', detail: '\r\u0085' }),
    'WARN  a\\u001b[2Jb\\u000aINFO  c detail=\\u000d\\u0085',
  )
  assert.equal(
    shown({ level: 50, msg: 'x', err: { stack: 'Error: \u001b[0m\n    at y' } }),
    'ERROR x\nError: \\u001b[0m\n    at y',
  )
})
