import { ROLES } from '../../../api/ads/scope.ts'
import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Advertising accounts are opened, shared and funded outside the API. */
export const accountCommands: CommandDeclarations = {
  'account create': {
    summary: 'Open an advertising account.',
    required: {
      '--owner <SCREEN_NAME>': 'Administrator of the account, and the user that it promotes.',
      '--name <TEXT>': 'Display name.',
    },
    flags: {
      '--sandbox': 'Create the account on the sandbox; production by default.',
      '--timezone <NAME>': 'IANA name of the time zone; America/Los_Angeles by default.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).create(call),
  },
  'account list': {
    summary: 'List advertising accounts and who may use them.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).list(call),
  },
  'account update <ACCOUNT>': {
    summary: 'Change the properties of an account that its users cannot change.',
    flags: {
      '--approval-status <STATUS>': 'ACCEPTED, REJECTED or UNDER_REVIEW.',
      '--business-name <TEXT>': 'Name of the business that the account belongs to.',
      '--business-id <TEXT>': 'Id of the business. Accounts of one business may share audiences.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).update(call),
  },
  'account grant <ACCOUNT> <SCREEN_NAME> <ROLE,…>': {
    summary: 'Set the roles of a user in an account.',
    details: `Roles: ${ROLES.join(', ')}.`,
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).grant(call),
  },
  'account revoke <ACCOUNT> <SCREEN_NAME>': {
    summary: 'Remove all roles of a user in an account.',
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).revoke(call),
  },
  'account fund <ACCOUNT>': {
    summary: 'Add a funding instrument to an account.',
    flags: {
      '--currency <CODE>': 'ISO 4217 code; USD by default.',
      '--type <TYPE>':
        'CREDIT_LINE (the default), AGENCY_CREDIT_LINE, CREDIT_CARD, INSERTION_ORDER or PARTNER_MANAGED.',
      '--credit-limit <AMOUNT>': 'Limit of a credit line or card, in units of the currency.',
      '--funded-amount <AMOUNT>': 'Amount of an insertion order, in units of the currency.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).fund(call),
  },
  'account feature add <ACCOUNT> <KEY,…>': {
    summary: 'Grant features to an account.',
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).addFeatures(call),
  },
  'account feature remove <ACCOUNT> <KEY,…>': {
    summary: 'Revoke features of an account.',
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).removeFeatures(call),
  },
  'account app add <ACCOUNT> <IDENTIFIER>': {
    summary: 'Register a mobile app that an account may promote.',
    flags: {
      '--os <SYSTEM>': 'Android or iOS; Android by default.',
      '--deep-link <TEXT>': 'Prefix of deep links into the app.',
      '--conversion-tracking': 'Count conversions of the app.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).addApp(call),
  },
  'account clicks <ACCOUNT> <PROMOTED_POST>': {
    summary:
      'List clicks on links or the app of a promoted post, newest first, with their identifiers for conversions.',
    json: 'lines',
    flags: { '--limit <COUNT>': 'Maximum number of clicks; 50 by default.' },
    settings: ADMIN,
    run: async (call) => (await import('../account.ts')).clicks(call),
  },
}
