import { DELIVERY_STATES } from '../../../delivery/webhooks/states.ts'
import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Deliveries to webhooks. */
export const deliveryCommands: CommandDeclarations = {
  'deliveries list': {
    summary: 'List deliveries to webhooks, newest first.',
    json: 'lines',
    flags: {
      '--webhook <ID>': 'Only deliveries to this webhook.',
      '--state <STATE>': `${DELIVERY_STATES.join(', ')}; all by default.`,
      '--limit <N>': 'Maximum number of deliveries; 50 by default.',
      '--before <ID>': 'Next page: only deliveries older than this one.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../deliveries.ts')).list(call),
  },
  'deliveries show <ID>': {
    summary:
      'Show a delivery: what was signed and sent, the signature with the current secret, and each attempt with its response.',
    settings: [...ADMIN, 'vocabulary'],
    run: async (call) => (await import('../deliveries.ts')).show(call),
  },
  'deliveries resend <ID...>': {
    summary: 'Send deliveries again, with all retries. A running server starts at once.',
    settings: ADMIN,
    run: async (call) => (await import('../deliveries.ts')).resend(call),
  },
}
