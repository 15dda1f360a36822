import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** How a running Plaza does, its log and its settings. */
export const statusCommands: CommandDeclarations = {
  status: {
    summary: 'Show how a running Plaza does. Exits with 1 if it is not ready.',
    settings: ADMIN,
    run: async (call) => (await import('../status.ts')).status(call),
  },
  logs: {
    summary: 'Print the last lines of the log of a running Plaza.',
    details: 'Plaza keeps the last 1,000 lines in memory. What its log level omits is not there.',
    json: 'none',
    settings: ADMIN,
    flags: {
      '--lines <N>': 'How many lines; 100 by default, at most 1000.',
      '--follow': 'Go on with each further line.',
    },
    run: async (call) => (await import('../status.ts')).logs(call),
  },
  'settings show': {
    summary: 'Show the settings that can be changed while Plaza runs.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../status.ts')).showSettings(call),
  },
  'settings set <NAME> <VALUE>': {
    summary: 'Change a setting of a running Plaza, on all nodes, until they are started again.',
    details: 'The name is that of the flag, such as rate-limits, without dashes before it.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../status.ts')).setSetting(call),
  },
  doctor: {
    summary: 'Check this machine and the settings, and say what to do about each problem.',
    details:
      'Checks ports, certificates, clock, disk space, database, Redis and versions, with or without a running Plaza. Takes the settings of "plaza start". Exits with 1 if there is a problem.',
    json: 'lines',
    settings: 'all',
    run: async (call) => (await import('../doctor.ts')).run(call),
  },
}
