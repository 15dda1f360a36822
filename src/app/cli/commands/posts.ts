import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** What platforms do with posts that their authors did not delete. Compliance streams tell it. */
export const postCommands: CommandDeclarations = {
  'post withhold <POST>': {
    summary: 'Mark a post as withheld in countries. It is still shown.',
    required: { '--countries <CODE,…>': 'Countries, such as DE,FR; none ends it.' },
    flags: { '--copyright': 'For a claim of copyright.' },
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).post(call),
  },
  'post vote <POST>': {
    summary: 'Vote in the poll of a post. The API shows polls, but does not take votes.',
    required: { '--user <SCREEN_NAME>': 'User who votes.', '--answer <N>': 'Answer, from 1.' },
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).vote(call),
  },
  'post drop <POST>': {
    summary: 'Take a post out of public view. Only its author sees it then.',
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).drop(call),
  },
  'post undrop <POST>': {
    summary: 'Bring a post back that was taken out of public view.',
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).undrop(call),
  },
  'user withhold <USER>': {
    summary: 'Mark a user as withheld in countries. The user is still shown.',
    required: { '--countries <CODE,…>': 'Countries, such as DE,FR; none ends it.' },
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).user(call),
  },
  'user remove-places <USER>': {
    summary: 'Remove places and points from the posts of a user.',
    flags: { '--up-to <POST>': 'Last post; the newest by default.' },
    settings: ADMIN,
    run: async (call) => (await import('../withhold.ts')).removePlaces(call),
  },
}
