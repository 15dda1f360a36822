import type { Naming } from '../../../platform/http/contract.ts'

/** Why a connection ended, as recorded. */
export type EndReason =
  | 'client_closed'
  | 'completed'
  | 'internal_error'
  | 'app_suspended'
  | 'app_unenrolled'
  | 'node_stopped'
  | 'operator_disconnect'
  | 'server_shutdown'
  | 'slow_reader'
  | 'token_revoked'
  | 'too_many_posts'
  | 'usage_capped'

interface LastWords {
  /** `disconnect_type` of the Problem. */
  type: string
  detail: string
}

const operational = {
  type: 'OperationalDisconnect',
  detail: 'This stream has been disconnected for operational reasons.',
}

const degraded = {
  type: 'ClientApplicationStateDegraded',
  detail: 'This stream has been disconnected because the app may no longer use it.',
}

/**
 * The content of the last line of a stream; nothing if no one reads it, or the stream is complete.
 */
const LAST_WORDS: Readonly<Record<EndReason, LastWords | undefined>> = {
  client_closed: undefined,
  completed: undefined,
  node_stopped: undefined,
  operator_disconnect: operational,
  server_shutdown: operational,
  slow_reader: {
    type: 'SlowReader',
    detail: 'This stream has been disconnected because its reader is too slow.',
  },
  too_many_posts: {
    type: 'OperationalDisconnect',
    detail: 'This stream has been disconnected because its rules match more posts than it may send.',
  },
  // Its last line is the Problem of the cap.
  usage_capped: undefined,
  internal_error: {
    type: 'InternalError',
    detail: 'This stream has been disconnected by an internal error.',
  },
  token_revoked: {
    type: 'ForceDisconnect',
    detail: 'This stream has been disconnected because its access token was revoked.',
  },
  app_suspended: degraded,
  app_unenrolled: degraded,
}

/** Whether a value is the reason for an end. */
export const isEndReason = (value: unknown): value is EndReason =>
  typeof value === 'string' && Object.hasOwn(LAST_WORDS, value)

const SLUG = 'operational-disconnect'

/**
 * The last line of a stream (interface, Errors; core reference, 03 section 2.2); empty if there is
 * none.
 */
export function lastLine(reason: EndReason, { vocabulary, problemBase }: Naming): string {
  const words = LAST_WORDS[reason]
  if (!words) return ''
  const problem = {
    title: vocabulary.name(SLUG),
    [vocabulary.name('disconnect_type')]: vocabulary.name(words.type),
    detail: vocabulary.text(words.detail),
    type: `${problemBase}/2/problems/${vocabulary.name(SLUG)}`,
  }
  return `${JSON.stringify({ errors: [problem] })}\r\n`
}
