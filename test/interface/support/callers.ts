import { readFileSync } from 'node:fs'
import type { AppKeys, Signer } from './oauth.ts'
import { type Ready, SEED_FILE } from './plaza.ts'

/** How a request identifies its caller. */
export type Credentials =
  | { scheme: 'none' }
  | { scheme: 'bearer'; token: string }
  | { scheme: 'basic'; keys: AppKeys }
  | { scheme: 'oauth'; signer: Signer; access?: string }

interface SeedApp {
  name: string
  consumer_key: string
  consumer_secret: string
  grants?: { user: string; access: string; token?: string; secret?: string }[]
}

const seed = JSON.parse(readFileSync(SEED_FILE, 'utf8')) as { apps: SeedApp[] }

/** The keys of an app that only the suite's seed creates. */
export function seededApp(name: string): AppKeys {
  const app = seed.apps.find((one) => one.name === name)
  if (!app) throw new Error(`seed.json has no app "${name}"`)
  return { key: app.consumer_key, secret: app.consumer_secret }
}

function seededToken(user: string, of: string): { token: string; tokenSecret: string; access: string } {
  const grant = seed.apps.find(({ name }) => name === of)?.grants?.find((one) => one.user === user)
  if (!grant?.token || !grant.secret) throw new Error(`seed.json has no token of ${user} for "${of}"`)
  return { token: grant.token, tokenSecret: grant.secret, access: grant.access }
}

/** Every caller, by the name that rows use. */
export function callersOf({ app, user, advertiser }: Ready) {
  const keys: AppKeys = { key: app.consumer_key, secret: app.consumer_secret }
  const level = 'read-write-directmessages'
  const signed = (signer: Signer, access?: string): Credentials => ({
    scheme: 'oauth',
    signer,
    ...(access !== undefined && { access }),
  })
  const granted = (one: Ready['user']) =>
    signed({ ...keys, token: one.access_token, tokenSecret: one.access_token_secret }, level)
  const seeded = (user: string, app: string, own: AppKeys) => {
    const { access, ...token } = seededToken(user, app)
    return signed({ ...own, ...token }, access)
  }
  const [reading, second, limited, unenrolled] = [
    seededApp('Reading app'),
    seededApp('Second app'),
    seededApp('Limited app'),
    seededApp('Unenrolled app'),
  ]
  const none: Credentials = { scheme: 'none' }
  return {
    anonymous: none,
    /** No one, through a proxy. */
    proxied: none,
    /** The owner of the app. */
    user: granted(user),
    /** The administrator of the advertising accounts. */
    advertiser: granted(advertiser),
    /** The app, with nothing but its key. */
    client: signed(keys),
    basic: { scheme: 'basic', keys } as Credentials,
    /** The app as an OAuth 2.0 client. */
    'client secret': {
      scheme: 'basic',
      keys: { key: app.client_id, secret: app.client_secret },
    } as Credentials,
    /** An access token of OAuth 2.0 that the suite got. */
    'user token': { scheme: 'bearer', token: '{user_token}' } as Credentials,
    stranger: seeded('stranger', 'Demo app', keys),
    'suspended user': seeded('suspended', 'Demo app', keys),
    'reading user': seeded('advertiser', 'Reading app', reading),
    'second user': seeded('demo', 'Second app', second),
    'second basic': { scheme: 'basic', keys: second } as Credentials,
    /** A user who granted only reading to an app that may write. */
    'narrow user': seeded('guarded', 'Second app', second),
    /** A user whose posts only followers see. */
    'guarded user': seeded('guarded', 'Demo app', keys),
    'unenrolled user': seeded('demo', 'Unenrolled app', unenrolled),
    'unenrolled basic': { scheme: 'basic', keys: unenrolled } as Credentials,
    /** The second app and its user, on the Plaza with low usage caps. */
    'capped user': seeded('demo', 'Second app', second),
    'capped basic': { scheme: 'basic', keys: second } as Credentials,
    'capped unenrolled user': seeded('demo', 'Unenrolled app', unenrolled),
    /**
     * The app with the request token, and then with the access token, of a sign-in of the suite.
     */
    pending: signed({ ...keys, token: '{request_token}', tokenSecret: '{request_secret}' }),
    granted: signed({ ...keys, token: '{access_token}', tokenSecret: '{access_secret}' }),
    'second client': signed(second),
    'reading client': signed(reading),
    'desktop client': signed(seededApp('Desktop app')),
    'limited client': signed(limited),
    'limited basic': { scheme: 'basic', keys: limited } as Credentials,
    'limited user': seeded('stranger', 'Limited app', limited),
    'suspended client': signed(seededApp('Suspended app')),
    'suspended basic': { scheme: 'basic', keys: seededApp('Suspended app') } as Credentials,
  }
}

/** Callers whose app or token only the suite's seed creates. */
export const SEEDED: ReadonlySet<string> = new Set([
  'pending',
  'granted',
  'client secret',
  'user token',
  'stranger',
  'suspended user',
  'reading user',
  'second user',
  'second basic',
  'second app',
  'narrow user',
  'guarded user',
  'unenrolled user',
  'unenrolled basic',
  'second client',
  'reading client',
  'desktop client',
  'limited client',
  'limited basic',
  'limited user',
  'suspended client',
  'suspended basic',
])

/** Callers of the Plaza with low usage caps, which the suite starts. */
export const CAPPED: ReadonlySet<string> = new Set([
  'capped user',
  'capped basic',
  'capped unenrolled user',
  'capped app',
])

/** Callers that are suspended or protected, which requires the command line. */
export const PREPARED: ReadonlySet<string> = new Set([
  'a command',
  'guarded user',
  'suspended user',
  'suspended client',
  'suspended basic',
])

/** `app`, `second app` and `capped app` send their bearer. */
export type Caller = keyof ReturnType<typeof callersOf> | 'app' | 'second app' | 'capped app'
