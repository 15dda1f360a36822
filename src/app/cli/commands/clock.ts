import type { CommandDeclarations } from '../command.ts'
import { STORE } from '../settings.ts'

const settings = [...STORE, 'ready-file']

/** The clock of a running Plaza, and its admin API. */
export const clockCommands: CommandDeclarations = {
  'clock show': {
    summary: 'Print the time that a running Plaza shows.',
    settings,
    run: async (call) => (await import('../clock.ts')).show(call),
  },
  'clock set <TIME>': {
    summary: 'Set the clock of a running Plaza to a later time, such as 2030-01-01T00:00:00Z.',
    settings,
    run: async (call) => (await import('../clock.ts')).change(call, { now: call.positionals[0] }),
  },
  'clock advance <DURATION>': {
    summary: 'Move the clock of a running Plaza forward, by 2h or 1d12h, and wait for what becomes due.',
    details:
      'The clock stops whenever work becomes due until it is done: scheduled posts, retries of deliveries, checks of webhooks. Exits with 1 if it is not done within the timeout.',
    settings,
    flags: { '--timeout <S>': 'How long to wait for the work, in real seconds; 30 by default.' },
    run: async (call) => (await import('../clock.ts')).advance(call),
  },
  'clock freeze': {
    summary: 'Stop the clock of a running Plaza. It can still be set and advanced.',
    settings,
    run: async (call) => (await import('../clock.ts')).change(call, { frozen: true }),
  },
  'clock resume': {
    summary: 'Let a frozen clock go on from the time that it shows.',
    settings,
    run: async (call) => (await import('../clock.ts')).change(call, { frozen: false }),
  },
  'admin-token': {
    summary: 'Print the token of the admin API, which programs need with --hardened --admin-api.',
    details: 'The token is derived from the master key: a rotation of the key ends it.',
    run: async (call) => (await import('../admin.ts')).printToken(call),
  },
}
