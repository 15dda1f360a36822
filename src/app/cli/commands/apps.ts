import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Apps. */
export const appCommands: CommandDeclarations = {
  'app create': {
    summary: 'Register an app and print its keys and secrets. They are shown only once.',
    required: {
      '--name <TEXT>': 'Shown on the consent page.',
      '--website <URL>': 'Shown on the consent page.',
      '--owner <SCREEN_NAME>': 'The developer.',
    },
    flags: {
      '--callback <URL...>': 'Callback URL that users may be redirected to.',
      '--permission <WHAT>': 'read, read-write (the default) or read-write-directmessages.',
      '--kind <KIND>': 'web (the default) or desktop, which uses a PIN.',
      '--client-type <TYPE>':
        'OAuth 2.0 client type: confidential (the default) has a secret; public has none; native (the default for desktop apps) may use any loopback port as callback.',
      '--not-enrolled': 'Let the app not use the endpoints under /2/ until it is enrolled.',
      '--enterprise': 'Let the app open the streams of enterprise plans.',
      '--no-sign-in': 'Ask for consent every time, even if the user has authorized the app before.',
      '--grant <SCREEN_NAME...>': 'Also create an access token for this user.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).create(call),
  },
  'app list': {
    summary: 'List apps, without their secrets.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).list(call),
  },
  'app rotate <ID>': {
    summary: 'Give an app a new key and new secrets. The old ones become invalid immediately.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).rotate(call),
  },
  'app client-type <ID> <confidential|public|native>': {
    summary: 'Change the OAuth 2.0 client type of an app. A confidential client gets a new secret.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).clientType(call),
  },
  'app enroll <ID>': {
    summary: 'Let an app use the endpoints under /2/.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).enroll(call),
  },
  'app unenroll <ID>': {
    summary: 'Let an app no longer use the endpoints under /2/: it gets the Problem client-forbidden there.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).unenroll(call),
  },
  'app delete <ID>': {
    summary: 'Delete an app with its keys, tokens, webhooks and rules. Its posts stay.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).remove(call),
  },
  'app suspend <ID>': {
    summary: 'Suspend an app. Its keys and tokens are immediately rejected with code 416.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).suspend(call),
  },
  'app restore <ID>': {
    summary: 'End the suspension of an app.',
    settings: ADMIN,
    run: async (call) => (await import('../app.ts')).restore(call),
  },
}
