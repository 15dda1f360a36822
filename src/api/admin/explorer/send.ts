import { isUtf8 } from 'node:buffer'
import { Type } from 'typebox'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { NoCaller } from '../../../workbench/explorer/callers.ts'
import { CALLER_KINDS, type Explored, explore, NotShowable } from '../../../workbench/explorer/explorer.ts'
import { MalformedForm } from '../../../workbench/explorer/sign-call.ts'
import { maskedHeader } from '../../../workbench/journal/mask.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { scopes } from '../tokens/token.ts'

const MAX_BODY = 262_144
/** The largest part of an upload, with its form. */
const MAX_FILE_BYTES = 6 * 1024 * 1024
const MAX_BASE64 = Math.ceil(MAX_FILE_BYTES / 3) * 4
const MAX_HEADERS = 20
/** Those of the connection, and those that are made here. */
const OWN_HEADERS = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'transfer-encoding',
])

const Headers = (description: string) =>
  Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), { description })

/** POST /admin/v1/explorer/requests: sends a call to this Plaza as any user or app. */
export const sendExplorerRequest = endpoint({
  ...ADMIN,
  id: 'sendExplorerRequest',
  method: 'POST',
  path: '/admin/v1/explorer/requests',
  summary: 'Send a request as any user or app',
  description:
    'Sends a request to a listener of this Plaza, signed with the stored credentials of a user and an app, and returns the reply. An app that has no OAuth 1.0a token of the user gets one, with the permission of the app. The caller never sees a secret.',
  body: closedObject({
    host: choice(['core', 'ads', 'sandbox'], 'The listener.'),
    method: Type.String({
      pattern: '^(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)$',
      description: 'The HTTP method.',
    }),
    path: Type.String({
      pattern: '^/[!-~]*$',
      maxLength: 16_384,
      description: 'The path with its query, percent-encoded.',
    }),
    caller: closedObject({
      kind: choice(
        [...CALLER_KINDS],
        'How to authenticate: as a user (OAuth 1.0a, or `oauth2` with an OAuth 2.0 token that is made for the call), as an app with its bearer token, as a client that signs without a user, with Basic, or not at all.',
      ),
      user: Type.Optional(text(1, 20, 'Id or screen name of the user; for the kinds `user` and `oauth2`.')),
      scopes: Type.Optional({
        ...scopes,
        description: 'Of the token of the kind `oauth2`. Default: all but `offline.access`.',
      }),
      app_id: Type.Optional(text(1, 19, 'The app. Default: the first one.')),
    }),
    headers: Type.Optional(
      Type.Array(Type.Array(text(1, 4_096, ''), { minItems: 2, maxItems: 2 }), {
        maxItems: MAX_HEADERS,
        description: 'Pairs of a name and a value, such as `content-type`.',
      }),
    ),
    body: Type.Optional(text(0, MAX_BODY, 'The body, exactly as it is sent.')),
    body_base64: Type.Optional(
      Type.String({
        maxLength: MAX_BASE64,
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        description: 'The body in base64, instead: for a form with a file.',
      }),
    ),
  }),
  maxBodyBytes: MAX_BASE64 + 2 * MAX_BODY,
  reply: closedObject({
    data: closedObject({
      request: closedObject({
        method: Type.String(),
        url: Type.String(),
        headers: Headers('Secrets are masked.'),
      }),
      status: Type.Integer(),
      headers: Headers('Of the reply.'),
      body: Type.String({ description: 'Of the reply; in base64 if it is not text.' }),
      is_base64: Type.Boolean({ description: 'Whether the body is in base64.' }),
      duration_ms: Type.Number(),
    }),
  }),
  errors: [...ADMIN.errors, 'conflict'],
  reasons: ['BodyInvalid', 'CallerInvalid', 'FormInvalid', 'HeaderInvalid'],
  example: {
    body: { host: 'core', method: 'GET', path: '/2/users/me', caller: { kind: 'user', user: 'demo' } },
    reply: {
      data: {
        request: { method: 'GET', url: 'https://127.0.0.1:8443/2/users/me', headers: [] },
        status: 200,
        headers: [['content-type', 'application/json']],
        body: '{"data":{"id":"1900000000000000007"}}',
        is_base64: false,
        duration_ms: 3.1,
      },
    },
  },
  async handle({ body: { host, method, path, caller, headers = [], body, body_base64 } }, { explorer }) {
    const pairs = headers.map(([name = '', value = '']) => [name, value] as const)
    for (const [name, value] of pairs) checkHeader(name, value)
    if (body !== undefined && body_base64 !== undefined)
      throw wrong('BodyInvalid', '`body` and `body_base64` exclude each other.', 'body_base64')
    if (['user', 'oauth2'].includes(caller.kind) && caller.user === undefined)
      throw wrong('CallerInvalid', '`caller.user` is missing: a call as a user needs one.', 'caller.user')
    const call = {
      ...{ host, method, path, headers: pairs },
      body: body_base64 === undefined ? body : Buffer.from(body_base64, 'base64'),
      caller: { kind: caller.kind, user: caller.user, appId: caller.app_id, scopes: caller.scopes },
    }
    try {
      return json({ data: replyOf(method, await explore(call, explorer)) })
    } catch (error) {
      if (error instanceof NoCaller) throw wrong('CallerInvalid', error.message, `caller.${error.member}`)
      if (error instanceof MalformedForm) throw wrong('FormInvalid', error.message, 'body')
      if (error instanceof NotShowable) throw apiError('conflict', { explanation: error.message })
      throw error
    }
  },
})

const wrong = (reason: string, sentence: string, name: string, value = '') =>
  invalidFor(reason, msg`${sentence}`, { place: 'body', name, value })

function checkHeader(name: string, value: string): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || OWN_HEADERS.has(name.toLowerCase()))
    throw wrong('HeaderInvalid', `The header "${name}" cannot be set.`, 'headers', name)
  if (!/^[\t\x20-\x7e]*$/.test(value))
    throw wrong(
      'HeaderInvalid',
      `The value of the header "${name}" must be printable ASCII.`,
      'headers',
      value,
    )
}

function replyOf(method: string, { url, headers, reply, durationMs }: Explored) {
  const isText = isUtf8(reply.body)
  return {
    request: { method, url, headers: headers.map(([name, value]) => [name, maskedHeader(name, value)]) },
    status: reply.status,
    headers: Object.entries(reply.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one]),
    ),
    body: isText ? reply.body.toString() : reply.body.toString('base64'),
    is_base64: !isText,
    duration_ms: Math.round(durationMs * 100) / 100,
  }
}
