import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neutralVocabulary } from '../../../platform/http/vocabulary.ts'
import { type EndReason, lastLine } from './ends.ts'

const naming = { vocabulary: neutralVocabulary, problemBase: 'https://api.example.com' }

/** What readers receive; nothing if no one reads it, or another Problem was sent. */
const TOLD: Readonly<Record<EndReason, readonly [type: string, why: string] | undefined>> = {
  client_closed: undefined,
  completed: undefined,
  node_stopped: undefined,
  usage_capped: undefined,
  operator_disconnect: ['OperationalDisconnect', 'for operational reasons'],
  server_shutdown: ['OperationalDisconnect', 'for operational reasons'],
  too_many_posts: ['OperationalDisconnect', 'because its rules match more posts than it may send'],
  slow_reader: ['SlowReader', 'because its reader is too slow'],
  internal_error: ['InternalError', 'by an internal error'],
  token_revoked: ['ForceDisconnect', 'because its access token was revoked'],
  app_suspended: ['ClientApplicationStateDegraded', 'because the app may no longer use it'],
  app_unenrolled: ['ClientApplicationStateDegraded', 'because the app may no longer use it'],
}

for (const [reason, told] of Object.entries(TOLD) as [EndReason, (typeof TOLD)[EndReason]][])
  test(`a stream that ends with ${reason} says ${told?.[0] ?? 'nothing'}`, () => {
    const line = lastLine(reason, naming)
    if (!told) return assert.equal(line, '')
    assert.ok(line.endsWith('\r\n'))
    assert.deepEqual(JSON.parse(line), {
      errors: [
        {
          title: 'operational-disconnect',
          disconnect_type: told[0],
          detail: `This stream has been disconnected ${told[1]}.`,
          type: 'https://api.example.com/2/problems/operational-disconnect',
        },
      ],
    })
  })
