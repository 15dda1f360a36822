import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Members of a profile besides the names. */
const PROFILE = {
  '--description <TEXT>': 'Description: up to 160 characters.',
  '--location <TEXT>': 'Location: up to 30 characters.',
  '--url <URL>': 'URL of the profile, or none.',
  '--profile-image-url <URL>': 'Picture, or none.',
  '--profile-banner-url <URL>': 'Banner, or none.',
  '--verified-type <TYPE>': 'none, blue, government or business.',
  '--subscription <TYPE>': 'None, Basic, Premium or PremiumPlus.',
  '--affiliation <ID|SCREEN_NAME>': 'User of the organization that the user belongs to, or none.',
  '--protected <on|off>': 'Whether only followers see the posts of the user.',
}

/** Users. */
export const userCommands: CommandDeclarations = {
  'user create': {
    summary: 'Create a user.',
    required: {
      '--screen-name <NAME>': '1 to 15 letters, digits or underscores.',
      '--name <TEXT>': 'Display name.',
    },
    flags: { '--password <TEXT>': 'Password; generated and printed once by default.', ...PROFILE },
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).create(call),
  },
  'user list': {
    summary: 'List users who can sign in.',
    flags: {
      '--name-prefix <TEXT>': 'All users whose screen names begin with this, also those who cannot sign in.',
    },
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).list(call),
  },
  'user rotate <ID|SCREEN_NAME>': {
    summary: 'Give a user a new password and print it. It is shown only once.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).rotate(call),
  },
  'user suspend <ID|SCREEN_NAME>': {
    summary: 'Suspend a user. Their access tokens are immediately rejected with code 64.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).suspend(call),
  },
  'user restore <ID|SCREEN_NAME>': {
    summary: 'End the suspension of a user.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).restore(call),
  },
  'user delete <ID|SCREEN_NAME>': {
    summary: 'Delete a user with posts, reactions, relations and tokens. A running server removes them.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).remove(call),
  },
  'user enroll-note-writer <ID|SCREEN_NAME>': {
    summary: 'Enroll a user as a writer of community notes, or change the level of a writer.',
    flags: { '--top': 'Make the user a top writer, who may read the large feeds.' },
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).enrollNoteWriter(call),
  },
  'user remove-note-writer <ID|SCREEN_NAME>': {
    summary: 'Remove a user from the writers of community notes. Existing notes stay.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).removeNoteWriter(call),
  },
  'user messages <ID|SCREEN_NAME> <everyone|followed>': {
    summary: 'Set who may send a user direct messages: everyone, or only users they follow.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).messages(call),
  },
  'user update <ID|SCREEN_NAME>': {
    summary: 'Change a profile, including what the user cannot change.',
    flags: {
      '--screen-name <NAME>': '1 to 15 letters, digits or underscores.',
      '--name <TEXT>': 'Display name.',
      ...PROFILE,
    },
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).update(call),
  },
  'user accept-follow <ID|SCREEN_NAME> <FOLLOWER>': {
    summary: 'Accept the request of another user to follow a protected user.',
    settings: ADMIN,
    run: async (call) => (await import('../user.ts')).acceptFollower(call),
  },
}
