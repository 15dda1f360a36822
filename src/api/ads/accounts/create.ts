import { compileReply, RawJson } from '../../../platform/http/reply.ts'
import { adsEndpoint } from '../endpoint.ts'
import { Account, shownAccount } from './account.ts'
import { openAccount } from './open.ts'

/** The name of a sandbox account that was created without one (reference: accounts). */
const NAME = 'Sandbox account'

export const createAccount = adsEndpoint({
  id: 'createAccount',
  host: 'sandbox',
  method: 'POST',
  path: '/accounts',
  summary: 'Create a sandbox account',
  description:
    'Creates a sandbox account that belongs to the user. With `--sandbox-account-list` the reply is a list of one account.',
  source: 'Campaign management',
  status: 201,
  data: Account,
  beside: ['optional cursor'],
  async handle({ principal }, context) {
    const row = await context.store.write((tx) =>
      openAccount(tx, { environment: 'sandbox', name: NAME, ownerUserId: principal.userId }, context),
    )
    const account = shownAccount(row)
    return context.config.sandboxAccountList
      ? {
          data: new RawJson(`[${compileReply(Account, context.naming.vocabulary)(account)}]`),
          next_cursor: null,
        }
      : { data: account }
  },
})
