import type { CommandDeclarations } from '../command.ts'
import { STORE } from '../settings.ts'

const settings = [...STORE, 'ready-file']

const CONDITIONS = {
  '--route <ROUTE>': "An endpoint, such as 'POST /2/posts', or with *: '/2/users/*'.",
  '--status <STATUS>': 'A status, such as 404, or a class, such as 4xx.',
  '--host <HOST>': 'core, ads or sandbox.',
  '--kind <KIND>': 'request, outgoing or stream.',
  '--text <TEXT>': 'Text in the URL, headers, bodies or error.',
}

/** What a running Plaza received and answered. */
export const journalCommands: CommandDeclarations = {
  'explain <ID>': {
    summary: 'Say in sentences why a running Plaza answered a request as it did.',
    details:
      'The id is the x-transaction-id header of the reply. For a signature that does not match, it prints the expected base string beside the one that the client signed.',
    settings,
    run: async (call) => (await import('../journal.ts')).explain(call),
  },
  'journal list': {
    summary: 'List the last requests, outgoing calls and streams of a running Plaza.',
    json: 'lines',
    settings,
    flags: {
      ...CONDITIONS,
      '--limit <N>': 'How many entries; 50 by default.',
      '-f, --follow': 'Print new entries as they come, until Ctrl-C.',
    },
    run: async (call) => (await import('../journal.ts')).list(call),
  },
  'journal show <ID>': {
    summary: 'Show a request and its reply, with headers, bodies and an explanation.',
    details: 'The id is the x-transaction-id header of the reply. Secrets are masked.',
    settings,
    run: async (call) => (await import('../journal.ts')).show(call),
  },
  'journal export [ID]': {
    summary: 'Write an entry as a curl command, as a test or as HAR, or all entries as HAR.',
    settings,
    json: 'none',
    flags: { ...CONDITIONS, '--format <FORMAT>': 'curl, test or har; har by default.' },
    run: async (call) => (await import('../journal.ts')).exportEntries(call),
  },
  'journal resend <ID>': {
    summary: 'Send a request again, with a new signature, and show its reply.',
    settings,
    run: async (call) => (await import('../journal.ts')).resend(call),
  },
  'journal clear': {
    summary: 'Remove all entries.',
    settings,
    json: 'none',
    run: async (call) => (await import('../journal.ts')).clear(call),
  },
}
