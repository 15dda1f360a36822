import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Background tasks and dead letters. */
export const taskCommands: CommandDeclarations = {
  'tasks count': {
    summary: 'Count background tasks by kind and state: waiting, running or dead.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../tasks.ts')).count(call),
  },
  'tasks list': {
    summary: 'List dead letters: tasks with no attempts left, and why they failed.',
    json: 'lines',
    flags: { '--kind <KIND>': 'All dead letters of this kind.' },
    settings: ADMIN,
    run: async (call) => (await import('../tasks.ts')).list(call),
  },
  'tasks retry [ID...]': {
    summary: 'Run dead letters again. A running server picks them up at once.',
    flags: { '--kind <KIND>': 'All dead letters of this kind.' },
    settings: ADMIN,
    run: async (call) => (await import('../tasks.ts')).retry(call),
  },
  'tasks discard [ID...]': {
    summary: 'Delete dead letters.',
    flags: { '--kind <KIND>': 'All dead letters of this kind.' },
    settings: ADMIN,
    run: async (call) => (await import('../tasks.ts')).discard(call),
  },
}
