import type { App, Permission } from '../identity/app.ts'
import type { Pair } from '../http/input/form.ts'
import type { Scopes } from '../identity/scopes.ts'
import type { Pool } from '../http/exchange.ts'

interface Signed {
  /** All parameters that the signature covers. */
  parameters: readonly Pair[]
  isOfSignature(name: string): boolean
}

/** An app, authenticated by its bearer token. */
export interface AppCaller {
  kind: 'app'
  pool: Pool
  scopes: Scopes
  app: App
}

/** A user, authenticated by a signature of an app with an access token. */
export interface UserCaller extends Signed {
  kind: 'user'
  pool: Pool
  scopes: Scopes
  app: App
  userId: string
  /** The access token that signed. */
  token: string
  /** The level of the token. */
  access: Permission
  /** Whether the user is suspended; such a caller reaches no handler. */
  suspended: boolean
}

/** An app, authenticated by a signature with its key alone. */
export interface ClientCaller extends Signed {
  kind: 'client'
  pool: Pool
  scopes: Scopes
  app: App
}

/** An app, authenticated by a signature with a request token. */
export interface PendingCaller extends Signed {
  kind: 'pending'
  pool: Pool
  scopes: Scopes
  app: App
  requestToken: string
}

/** An app, authenticated by its key and secret. */
export interface BasicCaller {
  kind: 'basic'
  pool: Pool
  scopes: Scopes
  app: App
}

/** A caller without credentials. */
export interface Anonymous {
  kind: 'none'
  pool: Pool
  scopes: Scopes
}

/**
 * The kinds of authentication:
 * `app` an app-only bearer, `user` OAuth 1.0a with an access token, `client` OAuth 1.0a with the
 * app's key alone, `pending` OAuth 1.0a with a request token, `basic` the app's key and secret,
 * `none` nothing at all.
 */
export type AuthKind = keyof Principals

/** The principal of each kind of authentication. */
export interface Principals {
  app: AppCaller
  user: UserCaller
  client: ClientCaller
  pending: PendingCaller
  basic: BasicCaller
  none: Anonymous
}

export type Principal = Principals[keyof Principals]
