import type { CommandDeclarations } from '../command.ts'
import { STORE } from '../settings.ts'

const settings = [...STORE, 'ready-file']

/** The fault rules of a running Plaza. */
export const faultCommands: CommandDeclarations = {
  'fault add <ROUTE> <FAULT>': {
    summary: "Fail requests to a running Plaza: plaza fault add 'POST /2/posts' 429.",
    details:
      "ROUTE is an endpoint, with * for any text: 'GET /2/users/*', or '/*' for all. FAULT is a documented status, or one of: latency, expired_token, exhausted_limit, exhausted_usage, lost_database, drop, drop_after, truncate, throttle, disconnect, stall, webhook_status, webhook_timeout, webhook_unreachable, webhook_tls, webhook_slow. For faults of webhooks, ROUTE is the id or URL of the webhook, or * for all. Prints the rule with its id.",
    settings,
    flags: {
      '--cause <CAUSE>': "Which documented error with the status, such as 'duplicate post'.",
      '--latency <LATENCY>': "Wait first: 2s, 'uniform 100ms 2s', 'normal 200ms 50ms', ….",
      '--times <N>': 'Only the first so many fail.',
      '--every <N>': 'Only every so many-th fails.',
      '--probability <P>': 'The share that fails, from 0 to 1.',
      '--seed <TEXT>': 'Makes probability and latency the same in each run.',
      '--from <TIME>': 'From a time, or a duration from now such as 2h, on the clock that users see.',
      '--until <TIME>': 'Until a time, or a duration from now.',
      '--host <HOST>': 'core, ads or sandbox.',
      '--app <ID>': 'Only requests of this app.',
      '--user <ID>': 'Only requests of this user.',
      '--status <STATUS>': 'What the webhook answers, for webhook_status.',
      '--bytes <N>': 'Bytes of the body that are sent, for truncate.',
      '--bytes-per-second <N>': 'For throttle.',
      '--posts <N>': 'Lines that a stream sends first, for disconnect and stall.',
      '--after <DURATION>': 'How long a stream goes on first, in real time.',
      '--reason <REASON>': 'Why a stream ends, such as slow_reader, for disconnect.',
      '--position <N>': 'The place in the order, from 1; the last one by default.',
    },
    run: async (call) => (await import('../faults.ts')).add(call),
  },
  'fault from-recording <FILE>': {
    summary: 'Add fault rules that give the errors in a recording of plaza record.',
    details:
      'For each endpoint, status and kind of body in the HTTP Archive, adds a rule with the documented error that is most like it, as often as it was recorded. Prints the rules with their ids. Errors that no endpoint documents are reported and left out.',
    json: 'lines',
    settings: [...settings, 'vocabulary'],
    flags: { '--print': 'Add nothing: print the plaza fault commands.' },
    run: async (call) => (await import('../faults.ts')).addRecorded(call),
  },
  'fault list': {
    summary: 'List the fault rules, in their order, with how often they applied.',
    json: 'lines',
    settings,
    run: async (call) => (await import('../faults.ts')).list(call),
  },
  'fault remove <ID>': {
    summary: 'Remove a fault rule.',
    settings,
    json: 'none',
    run: async (call) => (await import('../faults.ts')).remove(call),
  },
  'fault clear': {
    summary: 'Remove all fault rules.',
    settings,
    json: 'none',
    run: async (call) => (await import('../faults.ts')).clear(call),
  },
}
