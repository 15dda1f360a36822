import type { CommandDeclarations, FlagDescriptions } from '../command.ts'
import { ADMIN } from '../settings.ts'

const IDENTITY: FlagDescriptions = {
  '--creator <SCREEN_NAME>': 'Creator and first host.',
  '--title <TEXT>': 'Title, up to 70 characters.',
}

const DETAILS: FlagDescriptions = {
  '--minutes <N>': 'Duration; by default until "plaza space end".',
  '--lang <CODE>': 'Language, such as en.',
  '--hosts <SCREEN_NAME,…>': 'Up to 2 other hosts.',
  '--speakers <SCREEN_NAME,…>': 'Up to 10 speakers.',
  '--invited <SCREEN_NAME,…>': 'Up to 100 users who are invited to speak.',
  '--topics <NAME,…>': 'Up to 10 topics.',
  '--subscribers <N>': 'Number of users who want to be told of its start.',
}

/** The API shows spaces but does not create them. */
export const spaceCommands: CommandDeclarations = {
  'space schedule': {
    summary: 'Schedule a space. It starts automatically.',
    required: {
      '--at <TIME>': 'When it starts, such as 2026-03-01T12:00:00Z; within 30 days.',
      ...IDENTITY,
    },
    flags: DETAILS,
    settings: ADMIN,
    run: async (call) => (await import('../space.ts')).schedule(call),
  },
  'space start [ID]': {
    summary: 'Start a scheduled space now, or a new one.',
    flags: { ...IDENTITY, ...DETAILS },
    settings: ADMIN,
    run: async (call) => (await import('../space.ts')).start(call),
  },
  'space end <ID>': {
    summary: 'End a live space, or remove a scheduled one.',
    settings: ADMIN,
    run: async (call) => (await import('../space.ts')).end(call),
  },
  'space share <ID> <POST_ID>': {
    summary: 'Share a post in a space.',
    settings: ADMIN,
    run: async (call) => (await import('../space.ts')).share(call),
  },
  'space list': {
    summary: 'List spaces, oldest first.',
    json: 'lines',
    flags: { '--state <STATE>': 'live, scheduled or ended; all by default.' },
    settings: ADMIN,
    run: async (call) => (await import('../space.ts')).list(call),
  },
}
