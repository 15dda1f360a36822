import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
const MAX_WAIT_SECONDS = 60

const LogLine = component(
  'LogLine',
  Type.Object(
    {
      number: Type.Integer({ minimum: 1, description: 'Counts the lines since the start.' }),
      line: Type.String({ description: 'A JSON object, as in the log.' }),
    },
    { additionalProperties: false },
  ),
)

/** GET /admin/v1/logs: the last lines of the log. */
export const listLogs = endpoint({
  ...ADMIN,
  id: 'listLogs',
  method: 'GET',
  path: '/admin/v1/logs',
  summary: 'Read the log',
  description:
    'Returns the last lines of the log of this node, oldest first: at most 1,000 are kept, in memory. With `after`, only later lines; `wait_seconds` waits for one.',
  query: {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: 'Maximum number of lines.',
      }),
    ),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Only lines after the one with this number.' }),
    ),
    wait_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        default: 0,
        description: 'How long to wait, if there is no such line yet.',
      }),
    ),
  },
  reply: Type.Object({ data: Type.Array(LogLine) }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'over capacity'],
  example: {
    reply: { data: [{ number: 1, line: '{"level":30,"time":"2026-03-01T12:00:00.000Z","msg":"…"}' }] },
  },
  async handle({ query: { limit = DEFAULT_LIMIT, after, wait_seconds = 0 } }, { logs }) {
    const lines = await logs.read({ limit, after, waitMs: wait_seconds * 1000 })
    return json({ data: [...lines] })
  },
})
