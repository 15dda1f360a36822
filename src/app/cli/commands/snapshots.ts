import type { CommandDeclarations } from '../command.ts'
import { STORE } from '../settings.ts'

const settings = [...STORE, 'ready-file']
const REPLACE = { '--replace': 'Replace a snapshot that has this name.' }

/** The data of a running Plaza, saved and restored. */
export const snapshotCommands: CommandDeclarations = {
  'snapshot save [NAME]': {
    summary: 'Save all data of a running Plaza as it is now.',
    details:
      'Without a name, it is snapshot- and a number. Requests wait until the data is copied. Not available on PostgreSQL: use pg_dump there.',
    settings,
    flags: REPLACE,
    run: async (call) => (await import('../snapshot.ts')).save(call),
  },
  'snapshot list': {
    summary: 'List the snapshots, the oldest first.',
    json: 'lines',
    settings,
    run: async (call) => (await import('../snapshot.ts')).list(call),
  },
  'snapshot restore <NAME>': {
    summary: 'Replace all data of a running Plaza by that of a snapshot.',
    details:
      'Ports and certificates stay. Requests wait meanwhile, and streams end. The clock shows the time of the snapshot again, if it was adjusted then.',
    settings,
    run: async (call) => (await import('../snapshot.ts')).restore(call),
  },
  'snapshot delete <NAME>': {
    summary: 'Delete a snapshot.',
    settings,
    json: 'none',
    run: async (call) => (await import('../snapshot.ts')).remove(call),
  },
  'snapshot export <NAME> <FILE>': {
    summary: 'Write a snapshot to a file, which must not exist.',
    details:
      'Secrets in it are encrypted with the master key: only a Plaza with the same key, of the same version, can import it.',
    settings,
    json: 'none',
    run: async (call) => (await import('../snapshot.ts')).exportFile(call),
  },
  'snapshot import <FILE>': {
    summary: 'Add a snapshot from a file, without restoring it.',
    settings,
    flags: { '--name <NAME>': 'The name; by default the one that it was exported with.', ...REPLACE },
    run: async (call) => (await import('../snapshot.ts')).importFile(call),
  },
  reset: {
    summary: 'Replace all data of a running Plaza by what the seed wrote at its first start.',
    details: 'Users, apps, keys and tokens of the seed are the same as before. Snapshots stay.',
    settings,
    run: async (call) => (await import('../snapshot.ts')).reset(call),
  },
}
