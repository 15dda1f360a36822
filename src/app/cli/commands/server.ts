import type { CommandDeclarations } from '../command.ts'
import { ADMIN, PROCESS, STORE } from '../settings.ts'

/** The server and its store. */
export const serverCommands: CommandDeclarations = {
  start: {
    summary: 'Start the server. This is the default command.',
    details:
      'Flags override environment variables (--core-port is PLAZA_CORE_PORT), which override the file given with --config FILE (JSON with the flags as members). SIGTERM, SIGINT (Ctrl-C) or SIGHUP stops the server; a second signal stops it immediately.',
    settings: 'all',
    flags: {
      '--detach': 'Run in the background; "plaza stop" stops it.',
      '--wait':
        'With --detach: return once all listeners are open and earlier changes can be searched, or the start has failed.',
      '--timeout <S>':
        'With --wait: abort a start that takes longer; 60 by default. The time starts again while indexes catch up.',
      '--log-file <FILE>': 'With --detach: append the log here; plaza.log in the data folder by default.',
      '--json': 'Print one line of JSON instead of the message.',
    },
    hidden: { '--detached': 'Set by --detach for the process that it starts.' },
    run: async (call) => (await import('../start.ts')).run(call),
  },
  stop: {
    summary: 'Stop a running Plaza and wait until it has stopped.',
    details:
      'Finds the process by its data folder or its ready file. Exits with 1 if no Plaza is running, or if it is still running after the timeout.',
    settings: PROCESS,
    flags: {
      '--timeout <S>': 'How long to wait; 30 by default.',
      '--force': 'After the timeout, kill it without letting requests finish.',
    },
    run: async (call) => (await import('../stop.ts')).run(call),
  },
  console: {
    summary: 'Open the console in a browser, and print its address.',
    details:
      'The address contains a key, derived from the master key, that signs in once within 10 minutes. With --memory, name the Plaza with --ready-file. The browser is opened only from a terminal.',
    settings: [...STORE, 'ready-file'],
    flags: { '--no-browser': 'Print the address only.' },
    run: async (call) => (await import('../console.ts')).run(call),
  },
  check: {
    summary:
      'Compare every counter and every index in the database with the rows that they are computed from.',
    details:
      'Prints what differs, and exits with 1 if something does. A running server does it itself, also with --memory, and answers requests meanwhile. The search index is not compared: "plaza search rebuild" rebuilds it.',
    settings: ADMIN,
    flags: {
      '--repair': 'Correct what differs.',
      '--json': 'Print one JSON object per line: the differences, and a summary of each comparison.',
    },
    run: async (call) => (await import('../check.ts')).check(call),
  },
  'search rebuild': {
    summary: 'Rebuild the search index. A running server begins at once; until it is done, searches get 503.',
    settings: ADMIN,
    run: async (call) => (await import('../search.ts')).rebuild(call),
  },
  'news refresh': {
    summary: 'Build news stories from new posts now. The server does this every minute.',
    settings: ADMIN,
    run: async (call) => (await import('../news.ts')).refresh(call),
  },
  'key rotate': {
    summary: 'Encrypt every stored secret with a new master key.',
    details:
      'Runs in one transaction. A running server does it itself, while requests wait; of several nodes, stop all but one. If it is interrupted, start the server, or run it again. Access tokens and app keys stay valid; bearer tokens, browser sessions and sign-ins in progress become invalid. Afterwards, the old key decrypts nothing in the database.',
    settings: ADMIN,
    flags: {
      '--new-key-file <FILE>':
        'File with the new key; created if it does not exist. Required if the current key comes from --master-key or --master-key-file; otherwise master.key in the data folder is replaced.',
    },
    run: async (call) => (await import('../key.ts')).rotate(call),
  },
}
