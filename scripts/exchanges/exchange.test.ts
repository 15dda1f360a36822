import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalized, type Recorded } from './exchange.ts'

const exchange = (change: Partial<Recorded>): Recorded => ({
  file: 'test/journeys/a.test.ts',
  test: 'a',
  span: [0, 1],
  request: ['GET /2/webhooks', 'host: 127.0.0.1:40123'],
  requestBody: '',
  reply: ['HTTP/1.1 200 OK', 'Date: Sun, 22 Nov 2026 11:04:12 GMT'],
  replyBody: '',
  ...change,
})

test('what differs from run to run is replaced, and equal values stay equal', () => {
  const { request, reply } = normalized(
    exchange({
      request: [
        'PUT /2/webhooks/2028077791441846281',
        'host: 127.0.0.1:40123',
        'authorization: OAuth oauth_nonce="KZXwqLmklb3emxM6tS1QV6f0qKYdTjbX", oauth_version="1.0"',
      ],
      replyBody: '{"ids":["2028077791441846281","2028077791441846299"],"account":"fep9krbbmyo9"}',
    }),
  )
  assert.equal(
    request,
    'PUT /2/webhooks/<id 1>\nhost: 127.0.0.1:<port 1>\n' +
      'authorization: OAuth oauth_nonce="<oauth 1>", oauth_version="1.0"',
  )
  assert.match(reply, /\{"ids":\["<id 1>","<id 2>"\],"account":"<key 1>"\}$/)
})

test('the time of the machine is replaced, the time of a test and an amount are not', () => {
  const replyBody =
    '{"now":"2026-11-22T11:04:12Z","created_at":"2026-03-01T12:00:00Z","amount":9223372036854775807}'
  assert.match(
    normalized(exchange({ replyBody })).reply,
    /\{"now":"<time 1>","created_at":"2026-03-01T12:00:00Z","amount":9223372036854775807\}$/,
  )
})

test('words and names of members are no random values', () => {
  const replyBody = '{"code":"INVALID_PARAMETER","videoConversationCard":"MAX_CONVERSIONS_30_DAYS"}'
  assert.ok(normalized(exchange({ replyBody })).reply.endsWith(replyBody))
})
