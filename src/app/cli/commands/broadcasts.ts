import type { CommandDeclarations, FlagDescriptions } from '../command.ts'
import { ADMIN } from '../settings.ts'

const OWNER: FlagDescriptions = { '--owner <SCREEN_NAME>': 'Whose it is.' }

const DETAILS: FlagDescriptions = {
  '--source <ID>': 'A source of the owner.',
  '--locale <LOCALE>': 'Locale, such as en_US.',
  '--replay': 'It can be watched after its end.',
  '--locked': 'Only its owner knows of it.',
}

/** The API neither makes sources nor ends broadcasts. */
export const broadcastCommands: CommandDeclarations = {
  'broadcast source <ID>': {
    summary: 'Make a source of broadcasts.',
    required: OWNER,
    flags: { '--name <TEXT>': 'Name.', '--receiving': 'Video arrives.' },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).source(call),
  },
  'broadcast receive <SOURCE_ID>': {
    summary: 'Say that a source receives video.',
    flags: { '--stop': 'Say that it no longer does.' },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).receive(call),
  },
  'broadcast schedule': {
    summary: 'Schedule a broadcast.',
    required: {
      '--at <TIME>': 'When it starts, such as 2026-03-01T12:00:00Z.',
      '--minutes <N>': 'Duration.',
      ...OWNER,
      '--title <TEXT>': 'Title, up to 140 characters.',
    },
    flags: { '--manual': 'It waits for the call that starts it.', ...DETAILS },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).schedule(call),
  },
  'broadcast start [ID]': {
    summary: 'Start a scheduled broadcast now, or a new one.',
    flags: {
      ...OWNER,
      '--title <TEXT>': 'Title, up to 140 characters.',
      '--minutes <N>': 'Duration; by default until "plaza broadcast end".',
      ...DETAILS,
    },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).start(call),
  },
  'broadcast end <ID>': {
    summary: 'End a running broadcast, or remove a scheduled one.',
    flags: { '--failed': 'It ends with an error.' },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).end(call),
  },
  'broadcast watch <ID> <SCREEN_NAME>': {
    summary: 'A user watches a running broadcast.',
    flags: { '--leave': 'The user no longer does.' },
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).watch(call),
  },
  'broadcast list': {
    summary: 'List broadcasts, oldest first.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../broadcast.ts')).list(call),
  },
}
