import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'

test('metrics count replies and their latency by endpoint, and unknown paths together', async () => {
  const plaza = await startPlaza()
  const client = new Client(plaza)
  try {
    const person = await Person.join(plaza, client)
    for (let n = 0; n < 3; n++) await person.core('GET', `/2/users/${person.id}`)
    await client.send('GET', '/2/users/me')
    for (const path of ['/secret-1', '/secret-2']) await client.send('GET', path)
    const { text } = await client.send('GET', `${plaza.urls.console}/metrics`)
    const requests = text.split('\n').filter((line) => line.startsWith('plaza_http_requests_total{'))
    assert.deepEqual(requests.sort(), [
      'plaza_http_requests_total{host="core",endpoint="",status="404"} 2',
      'plaza_http_requests_total{host="core",endpoint="GET /2/users/me",status="401"} 1',
      'plaza_http_requests_total{host="core",endpoint="GET /2/users/{id}",status="200"} 3',
    ])
    const duration = (suffix: string, labels: string) =>
      Number(
        new RegExp(`^plaza_http_request_duration_seconds_${suffix}\\{${labels}\\} (.+)$`, 'm').exec(
          text,
        )?.[1],
      )
    const labels = 'host="core",endpoint="GET /2/users/\\{id\\}"'
    assert.equal(duration('count', labels), 3)
    assert.equal(duration('bucket', `${labels},le="\\+Inf"`), 3)
    assert.ok(duration('sum', labels) > 0)
    const buckets = [
      ...text.matchAll(/_bucket\{host="core",endpoint="GET \/2\/users\/me",le="[^"]+"\} (\d+)/g),
    ]
    const counts = buckets.map(([, count]) => Number(count))
    assert.equal(counts.length, 14)
    assert.deepEqual(counts, counts.toSorted(), 'buckets are cumulative')
  } finally {
    await client.close()
    await plaza.close()
  }
})
