import type { CommandDeclarations } from '../command.ts'
import { ADMIN, STORE } from '../settings.ts'

/** Files and queries that are checked without a server, and facts about Plaza itself. */
export const fileCommands: CommandDeclarations = {
  'seed check <FILE>': {
    summary: 'Check a seed file without starting the server.',
    details:
      'Reports every invalid value with its line and column. docs/seed.schema.json describes the file.',
    settings: ['log-level'],
    run: async (call) => (await import('../seed.ts')).check(call),
  },
  'seed export': {
    summary: 'Print the present state as a seed that a first start can load.',
    details:
      'Contains users with profiles and relations, apps, posts with reactions, polls and media, direct messages, spaces, and advertising accounts with their campaigns. Leaves out webhooks, rules, audiences, creatives other than promoted posts, and synthetic users. Works while Plaza runs or not; with --memory, name its --ready-file.',
    json: 'none',
    settings: [...STORE, 'ready-file'],
    flags: {
      '--format <FORMAT>': 'yaml (the default) or json.',
      '--users <N>': 'Maximum number of users, the oldest; 1000 by default.',
      '--posts <N>': 'Maximum number of posts and of direct messages, the newest; 10000 by default.',
      '--media-bytes <N>': 'Maximum size of all media together, the newest; 16777216 by default.',
      '--secrets': 'Include the passwords, keys and tokens that the seed created.',
    },
    run: async (call) => (await import('../seed.ts')).exportState(call),
  },
  'seed from-recording <FILE>': {
    summary: 'Print the users and posts of a recording of plaza record as a seed.',
    details:
      'Reads the replies of an HTTP Archive, with the names of --vocabulary. Posts have the ids of the service as their names in the seed. Leaves out posts of authors that the recording does not show, and values that a seed cannot have.',
    json: 'none',
    settings: ['vocabulary'],
    flags: { '--format <FORMAT>': 'yaml (the default) or json.' },
    run: async (call) => (await import('../seed.ts')).fromRecording(call),
  },
  'vocabulary check <FILE>': {
    summary:
      'Check a vocabulary, and list plurals, participles and compounds of renamed words that it does not rename.',
    details:
      'Reports a wrong entry with its line and column, and names and paths that collide. A word that is to stay as it is needs an entry with its own name, such as "posts": "posts". Exits with 1 if a plural or a participle has no entry.',
    settings: ['log-level'],
    run: async (call) => (await import('../vocabulary.ts')).check(call),
  },
  'vocabulary reload': {
    summary: 'Have a running Plaza read the file of its --vocabulary again.',
    details:
      'Requests wait meanwhile, and streams end. A file with a mistake is rejected, and the present vocabulary stays. Of several nodes, only the one that is named.',
    settings: ADMIN,
    run: async (call) => (await import('../vocabulary.ts')).reload(call),
  },
  'query explain <QUERY>': {
    summary: 'Show how Plaza reads a search query or a stream rule, or what is wrong with it.',
    details:
      'Shows what each clause matches, how much of the limits the query uses, and the terms under which a rule is indexed. For an invalid query, shows the position of the error and exits with 1. Put -- before a query that begins with -.',
    settings: ['vocabulary', 'log-level'],
    flags: {
      '--for <USE>':
        'search/recent, search/all, counts/recent, counts/all, powerstream or stream (the default).',
      '--plan <PLAN>': 'self-serve (the default) or enterprise: limits and operators.',
    },
    run: async (call) => (await import('../query.ts')).explain(call),
  },
  'openapi [core|ads|admin]': {
    summary: 'Print the OpenAPI document of the core API, the advertising API or the admin API.',
    json: 'none',
    settings: ['vocabulary', 'core-url', 'ads-url', 'ads-sandbox-url', 'problem-base', 'log-level'],
    run: async (call) => (await import('../openapi.ts')).run(call),
  },
  version: {
    summary: 'Print the version.',
    settings: ['log-level'],
    run: async (call) => (await import('../version.ts')).run(call),
  },
}
