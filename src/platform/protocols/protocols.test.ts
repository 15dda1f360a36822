import assert from 'node:assert/strict'
import { unknownPath } from './protocols.ts'
import { describe, test } from 'node:test'
import { ApiError, type Fault, invalid, type Violation } from '../http/errors.ts'
import { neutralVocabulary } from '../http/vocabulary.ts'
import { ads } from './ads/protocol.ts'
import { apiError, causes, words } from './catalogue.ts'
import { legacy, oauth } from './legacy/protocol.ts'
import { page } from './page/protocol.ts'
import { problem as core } from './problem/protocol.ts'
import { problemType } from './problem/types.ts'

const naming = { vocabulary: neutralVocabulary, problemBase: 'https://api.example.com' }
const problem = (error: ApiError) => core.render(error, naming)
const query = (name: string, value: string | undefined, fault: Fault): Violation => ({
  place: 'query',
  name,
  value,
  fault,
})

describe('Problem Details, to the letter', () => {
  const bodies: [string, ApiError, number, object][] = [
    [
      'a bad parameter',
      invalid(query('max_results', '5', { kind: 'range', min: 10, max: 100 })),
      400,
      {
        errors: [
          {
            parameters: { max_results: ['5'] },
            message: 'The `max_results` query parameter value [5] is not between 10 and 100',
          },
        ],
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'https://api.example.com/2/problems/invalid-request',
      },
    ],
    [
      'no credentials',
      apiError('bad authentication data'),
      401,
      { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
    ],
    [
      'a way of signing in that is not taken',
      new ApiError('auth kind not allowed', {
        auth: { used: 'OAuth 2.0 Application-Only', supported: ['OAuth 1.0a User Context', 'Basic'] },
      }),
      403,
      {
        title: 'Unsupported Authentication',
        type: 'https://api.example.com/2/problems/unsupported-authentication',
        status: 403,
        detail:
          'Authenticating with OAuth 2.0 Application-Only is forbidden for this endpoint.  Supported authentication types are [OAuth 1.0a User Context, Basic].',
      },
    ],
    [
      'an app without the permission',
      apiError('write not permitted'),
      403,
      {
        title: 'Forbidden',
        type: 'https://api.example.com/2/problems/oauth1-permissions',
        status: 403,
        detail:
          'Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.',
      },
    ],
    [
      'an unknown path',
      apiError('not found'),
      404,
      { title: 'Not Found', type: 'about:blank', status: 404, detail: 'Not Found' },
    ],
    [
      'too many calls',
      apiError('rate limited'),
      429,
      { title: 'Too Many Requests', type: 'about:blank', status: 429, detail: 'Too Many Requests' },
    ],
    [
      'overload',
      apiError('over capacity'),
      503,
      { title: 'Service Unavailable', type: 'about:blank', status: 503, detail: 'Service Unavailable' },
    ],
  ]
  for (const [what, error, status, body] of bodies) {
    test(what, () => {
      const rendered = problem(error)
      assert.equal(rendered.status, status)
      assert.equal(rendered.contentType, 'application/problem+json; charset=utf-8')
      assert.deepEqual(JSON.parse(rendered.body), body)
    })
  }

  const sentences: [Fault, string][] = [
    [{ kind: 'invalid' }, 'The `id` query parameter value [abc] is not valid'],
    [
      { kind: 'choice', values: ['attachments', 'author_id'] },
      'The `id` query parameter value [abc] is not one of [attachments,author_id]',
    ],
    [
      { kind: 'unknown', known: ['ids', 'expansions'] },
      'The query parameter [id] is not one of [ids,expansions]',
    ],
    [{ kind: 'empty' }, 'The `id` query parameter can not be empty'],
    [{ kind: 'missing' }, 'The `id` query parameter can not be empty'],
  ]
  for (const [fault, sentence] of sentences) {
    test(`the sentence of ${fault.kind}`, () => {
      const { errors } = JSON.parse(problem(invalid(query('id', 'abc', fault))).body)
      assert.deepEqual(errors, [{ parameters: { id: ['abc'] }, message: sentence }])
    })
  }

  test('a revoked token has its legacy code beside the Problem', () => {
    const { errors } = JSON.parse(problem(apiError('invalid token')).body)
    assert.deepEqual(errors, [{ code: 89, message: 'Invalid or expired token.' }])
  })

  test('every slug and title that is sent stands in the table of subtypes', () => {
    for (const cause of causes) {
      const { slug, title } = words[cause].problem
      const type = problemType(slug)
      if (type.title !== undefined) assert.equal(title, type.title, cause)
    }
  })
})

describe('legacy errors, to the letter', () => {
  const told = (error: ApiError) => {
    const { status, body, contentType } = legacy.render(error, naming)
    assert.equal(contentType, 'application/json; charset=utf-8')
    return [status, body]
  }

  test('codes and messages that clients compare', () => {
    assert.deepEqual(told(apiError('invalid token')), [
      401,
      '{"errors":[{"code":89,"message":"Invalid or expired token."}]}',
    ])
    assert.deepEqual(told(apiError('could not authenticate')), [
      401,
      '{"errors":[{"code":32,"message":"Could not authenticate you."}]}',
    ])
    assert.deepEqual(told(apiError('rate limited')), [
      429,
      '{"errors":[{"code":88,"message":"Rate limit exceeded"}]}',
    ])
    assert.deepEqual(told(apiError('credentials unverifiable')), [
      403,
      '{"errors":[{"code":99,"label":"authenticity_token_error","message":"Unable to verify your credentials"}]}',
    ])
    assert.deepEqual(told(apiError('not found')), [
      404,
      '{"errors":[{"code":34,"message":"Sorry, that page does not exist."}]}',
    ])
  })

  test('each wrong parameter is an error of its own', () => {
    const violations: Violation[] = [
      { place: 'form', name: 'a', value: undefined, fault: { kind: 'missing' } },
      { place: 'form', name: 'b', value: 'x', fault: { kind: 'choice', values: ['y', 'z'] } },
      { place: 'form', name: 'c', value: 'x', fault: { kind: 'repeated' } },
      { place: 'form', name: 'd', value: 'x', fault: { kind: 'invalid' } },
    ]
    assert.deepEqual(JSON.parse(String(told(invalid(...violations))[1])), {
      errors: [
        { code: 38, message: 'a parameter is missing.' },
        { code: 44, message: 'b parameter [x] is not one of [y, z].' },
        { code: 44, message: 'c parameter may be given only once.' },
        { code: 44, message: 'd parameter is invalid.' },
      ],
    })
  })
})

describe('advertising errors', () => {
  test('stand in their envelope', () => {
    const { status, body } = ads.render(apiError('not found'), naming)
    assert.equal(status, 404)
    assert.deepEqual(JSON.parse(body), {
      errors: [{ code: 'ROUTE_NOT_FOUND', message: 'No such route' }],
      request: { params: {} },
    })
  })

  test('say what became of resources of earlier versions', () => {
    const messageOf = (path: string) => JSON.parse(ads.render(unknownPath('ads', path), naming).body).errors
    for (const [path, became] of [
      ['/12/accounts/abc/cards/website', 'cards of this kind ended with version 8: use cards'],
      ['/12/accounts/abc/cards/video_app_download/x', 'cards of this kind ended with version 8: use cards'],
      ['/8/accounts/abc/audience_summary', 'audience_summary ended with version 8: use audience_estimate'],
      ['/12/insights/accounts/abc?x=1', 'this resource has ended, and nothing replaces it'],
    ] as const)
      assert.deepEqual(messageOf(path), [{ code: 'ROUTE_NOT_FOUND', message: `No such route: ${became}` }])
    for (const path of ['/12/accounts/abc/cards/poll/x/y', '/12/insights', '/audience_summary'])
      assert.deepEqual(messageOf(path), [{ code: 'ROUTE_NOT_FOUND', message: 'No such route' }])
  })

  test('name the parameter', () => {
    const told = (fault: Fault) => {
      const { body } = ads.render(invalid(query('count', '0', fault)), naming)
      return JSON.parse(body).errors[0]
    }
    assert.deepEqual(told({ kind: 'missing' }), {
      code: 'MISSING_PARAMETER',
      message: '"count" is a required parameter',
      parameter: 'count',
    })
    assert.deepEqual(told({ kind: 'range', min: 1, max: 1000 }), {
      code: 'INVALID_PARAMETER',
      message: 'Expected a value between 1 and 1000, got "0" for count',
      parameter: 'count',
    })
  })
})

test('no protocol tells the detail that is for the log', () => {
  for (const cause of causes) {
    for (const { render } of [core, legacy, oauth, ads, page]) {
      const { body } = render(
        new ApiError(cause, { detail: 'SECRET', auth: { used: '', supported: [] } }),
        naming,
      )
      assert.doesNotMatch(body, /SECRET/)
    }
  }
})

test('a page escapes what it repeats', () => {
  const { body } = page.render(invalid(query('<script>', '<b>', { kind: 'missing' })), naming)
  assert.doesNotMatch(body, /<script>|<b>/)
})
