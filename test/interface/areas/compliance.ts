import assert from 'node:assert/strict'
import type { Area } from '../support/exchange.ts'
import { assertMatches, id64, keep, like, objectTime, timeMs } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { openStream } from '../support/stream.ts'
import { send } from '../support/world.ts'

const JOBS = '/2/compliance/jobs'
const url = (what: string) =>
  like(new RegExp(`^https?://[^/]+/2/compliance/${what}/[0-9]+-[A-Za-z0-9_-]{43}$`))
const job = {
  id: '{compliance_job}',
  type: 'posts',
  name: 'posts {run}',
  resumable: true,
  created_at: objectTime,
  upload_url: url('uploads'),
  upload_expires_at: objectTime,
  download_url: url('downloads'),
  download_expires_at: objectTime,
}
const BUSY = {
  title: 'Conflict',
  type: '{problem_base}/2/problems/conflict',
  status: 409,
}
/** An id that no post has. */
const UNKNOWN = '1000000000000000001'
const TRIES = 300

const STREAMS = {
  '/2/posts/compliance/stream': true,
  '/2/users/compliance/stream': true,
  '/2/likes/compliance/stream': false,
  '/2/posts/label/stream': false,
}

const streams: Area['rows'] = Object.entries(STREAMS).flatMap(([path, inPartitions]): Area['rows'] => [
  {
    it: `${path} opens`,
    needs: 'user',
    async run(world) {
      const partitions = inPartitions ? [1, 4] : ['']
      for (const partition of partitions) {
        const query = inPartitions ? `?partition=${partition}` : ''
        const stream = await openStream(world, `{base_url}${path}${query}`)
        assert.equal(stream.status, 200)
        stream.close()
      }
      world.seen.calls.push({ method: 'GET', path })
    },
  },
  {
    it: `${path} is for apps with an enterprise plan`,
    as: 'second app',
    send: `GET ${path}`,
    query: inPartitions ? { partition: '1' } : {},
    status: 403,
    reply: {
      title: 'Client Forbidden',
      detail: 'The app must have an enterprise plan to use this endpoint.',
      type: '{problem_base}/2/problems/client-forbidden',
      reason: 'client-not-enrolled',
      client_id: '{second_app}',
    },
  },
])

const events: Area['rows'] = [
  {
    it: 'a deleted post is a line of one partition',
    needs: 'user',
    async run(world) {
      const opened = await Promise.all(
        [1, 2, 3, 4].map((n) => openStream(world, `{base_url}/2/posts/compliance/stream?partition=${n}`)),
      )
      const json = { text: `It goes soon ${world.variables.run}` }
      const made = await send(world, { send: 'POST {base_url}/2/posts', as: 'user', json })
      const { id } = (JSON.parse(made.text) as { data: { id: string } }).data
      await send(world, { send: `DELETE {base_url}/2/posts/${id}`, as: 'user' })
      const line = JSON.parse((await Promise.race(opened.map((stream) => stream.next()))) ?? '') as unknown
      const expected = { data: { delete: { post: { id, author_id: id64 }, event_at: timeMs } } }
      assertMatches(line, expected, world.variables)
      for (const stream of opened) stream.close()
    },
  },
]

/** Sources: core reference, 07 sections 3 to 5. */
export const compliance: Area = {
  name: 'compliance',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a job is created',
      send: `POST ${JOBS}`,
      json: { type: 'posts', name: 'posts {run}', resumable: true },
      status: 200,
      reply: { data: { ...job, id: keep('compliance_job', id64), status: 'created' } },
      limit: 150,
    },
    {
      it: 'a second one of the type has to wait',
      send: `POST ${JOBS}`,
      json: { type: 'posts' },
      status: 409,
      reply: {
        ...BUSY,
        detail: 'The job {compliance_job} of the type posts is not finished. An app can have one at a time.',
      },
    },
    {
      it: 'a job is returned by its id',
      send: `GET ${JOBS}/{compliance_job}`,
      query: { 'compliance_job.fields': 'upload_url,download_url,status' },
      status: 200,
      reply: {
        data: {
          id: '{compliance_job}',
          status: 'created',
          upload_url: keep('upload_url', url('uploads')),
          download_url: keep('download_url', url('downloads')),
        },
      },
      limit: 150,
    },
    {
      it: 'a job of another app is not found',
      as: 'second app',
      send: `GET ${JOBS}/{compliance_job}`,
      status: 200,
      reply: {
        errors: [
          {
            title: 'Not Found Error',
            type: '{problem_base}/2/problems/resource-not-found',
            detail: 'Could not find compliance_job with id: [{compliance_job}].',
            value: '{compliance_job}',
            parameter: 'id',
            resource_id: '{compliance_job}',
            resource_type: 'compliance_job',
          },
        ],
      },
    },
    {
      it: 'the type must be known',
      send: `GET ${JOBS}`,
      query: { type: 'likes' },
      status: 400,
      reply: problem.invalidRequest([
        { type: ['likes'] },
        'The `type` query parameter value [likes] is not one of [posts,users]',
      ]),
    },
    {
      it: 'a resumable upload, the result, and the list of jobs',
      needs: 'anonymous',
      async run(world) {
        const { variables } = world
        const at = (request: string, more: object = {}) =>
          send(world, { send: request, as: 'anonymous', ...more })
        const early = await at('GET {download_url}')
        assert.equal(early.status, 404)
        const begun = await at('POST {upload_url}', { headers: { 'svc-resumable': 'start' } })
        assert.equal(begun.status, 201)
        assert.equal(begun.headers.location, variables.upload_url)
        const part = (range: string, content: string) =>
          at('PUT {upload_url}', {
            headers: { 'content-range': range },
            body: { type: 'text/plain', content },
          })
        const asked = await part('bytes */20', '')
        assert.deepEqual([asked.status, asked.headers.range], [308, undefined])
        const first = await part('bytes 0-9/20', UNKNOWN.slice(0, 10))
        assert.deepEqual([first.status, first.headers.range], [308, 'bytes=0-9'])
        const last = await part('bytes 10-19/20', `${UNKNOWN.slice(10)}\n`)
        assert.equal(last.status, 200)
        const late = await at('PUT {upload_url}', { body: { type: 'text/plain', content: UNKNOWN } })
        assert.equal(late.status, 409)
        for (let tries = 0; ; tries++) {
          const reply = await at('GET {download_url}')
          if (reply.status === 200) {
            const line = JSON.parse(reply.text) as Record<string, string>
            assert.deepEqual(
              [line.id, line.action, line.reason, line.redacted_at],
              [UNKNOWN, 'delete', 'deleted', undefined],
            )
            break
          }
          assert.ok(tries < TRIES, 'the job did not end')
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        for (const [method, url] of [
          ['POST', variables.upload_url],
          ['PUT', variables.upload_url],
          ['GET', variables.download_url],
        ] as const)
          world.seen.calls.push({ method, path: new URL(String(url)).pathname })
      },
    },
    {
      it: 'the jobs of a type',
      send: `GET ${JOBS}`,
      query: { type: 'posts', status: 'complete', 'compliance_job.fields': 'status' },
      status: 200,
      reply: { data: [{ id: '{compliance_job}', status: 'complete' }], meta: { result_count: 1 } },
      limit: 150,
    },
    ...streams,
    ...events,
    {
      it: 'a changed URL is not found',
      as: 'anonymous',
      send: `PUT /2/compliance/uploads/{compliance_job}-${'A'.repeat(43)}`,
      body: { type: 'text/plain', content: UNKNOWN },
      status: 404,
      reply: problem.plain(404, 'Not Found'),
    },
  ],
}
