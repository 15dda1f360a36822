import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pino from 'pino'
import { requestLog } from './log.ts'

const MEDIUM = `${'0123456789abcdef'.repeat(4)}.jpeg`
const TOKEN =
  'rj0V3tjKa_tSJ4WKRU8M1ye1x6xnFhp8We9pBv1RRrr5QDxU0c3yr9P7AF3IU92hMywWKOnqXb9SyrqtNEgBHqOvGm0yW1mCuPSCXsSIoz5A'

/** The path in the line of a request. */
function loggedPath(url: string, is404 = false): string {
  const lines: string[] = []
  const write = requestLog(pino({ level: 'info' }, { write: (line) => lines.push(line) }), 'core')
  const request = { id: '1', began: 0, is404, raw: { url, method: 'GET' } } as unknown as FastifyRequest
  write(request, { statusCode: 200 } as FastifyReply)
  return JSON.parse(lines[0] ?? '').path
}

test('the line of a request has its path, and nothing of its query', () => {
  assert.equal(loggedPath('/2/users/by?usernames=demo&token=secret'), '/2/users/by')
  assert.equal(loggedPath(`/media/${MEDIUM}`), `/media/${MEDIUM}`)
})

test('a segment of a path that may be a token is cut, whether or not the path is known', () => {
  assert.equal(loggedPath(`/post-preview/${TOKEN}`), '/post-preview/rj0V3tjK…')
  assert.equal(loggedPath(`/post-preview/${TOKEN}/?a=b`), '/post-preview/rj0V3tjK…/')
  assert.equal(loggedPath(`/${TOKEN}/${TOKEN}`), '/rj0V3tjK…/rj0V3tjK…')
})

test('in a path of no endpoint, a shorter segment may be a token too', () => {
  assert.equal(
    loggedPath('/2/xvz1evFS4wEEPTGEFPHBog/1900000000000000042', true),
    '/2/xvz1evFS…/1900000000000000042',
  )
  assert.equal(loggedPath('/2/post?token=secret', true), '/2/post')
  assert.equal(loggedPath('/2/custom_audience_changes', false), '/2/custom_audience_changes')
})
