import type { CommandDeclarations, FlagDescriptions } from '../command.ts'
import { ADMIN } from '../settings.ts'

const DETAILS: FlagDescriptions = {
  '--description <TEXT>': 'Description: up to 300 characters.',
  '--access <ACCESS>': 'Public, or Closed: then only members see its posts. Public by default.',
  '--join-policy <POLICY>': 'What is shown about joining, such as Open, the default.',
}

/** The core API shows communities, but nobody makes or joins them there. */
export const communityCommands: CommandDeclarations = {
  'community create': {
    summary: 'Create a community.',
    required: { '--name <TEXT>': 'Name: up to 60 characters.' },
    flags: {
      ...DETAILS,
      '--members <SCREEN_NAME,…>': 'Its first members.',
      '--id <ID>': 'Its id, if imported posts name one.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).create(call),
  },
  'community list': {
    summary: 'List communities, or those of a user.',
    json: 'lines',
    flags: { '--user <ID|SCREEN_NAME>': 'Only the communities of this user.' },
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).list(call),
  },
  'community update <ID>': {
    summary: 'Change a community. What is not named stays as it is.',
    flags: { '--name <TEXT>': 'Name: up to 60 characters.', ...DETAILS },
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).update(call),
  },
  'community delete <ID>': {
    summary: 'Delete a community. Only their authors see its posts then.',
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).remove(call),
  },
  'community join <ID> <ID|SCREEN_NAME>': {
    summary: 'Make a user a member of a community.',
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).join(call),
  },
  'community leave <ID> <ID|SCREEN_NAME>': {
    summary: 'Remove a user from a community.',
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).leave(call),
  },
  'community members <ID>': {
    summary: 'List the members of a community, those who joined last first.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../community.ts')).members(call),
  },
}
