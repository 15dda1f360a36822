import type { App, Permission } from '../identity/app.ts'
import type { Pair } from '../http/input/form.ts'
import type { Scopes } from '../identity/scopes.ts'
import type { Pool } from '../http/exchange.ts'

interface Signed {
  /** Everything that the signature covers. */
  parameters: readonly Pair[]
  isOfSignature(name: string): boolean
}

/** An app that showed its bearer. */
export interface AppCaller {
  kind: 'app'
  pool: Pool
  scopes: Scopes
  app: App
}

/** A user for whom an app signed. */
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

/** An app that signed with its key alone. */
export interface ClientCaller extends Signed {
  kind: 'client'
  pool: Pool
  scopes: Scopes
  app: App
}

/** An app that signed with a request token. */
export interface PendingCaller extends Signed {
  kind: 'pending'
  pool: Pool
  scopes: Scopes
  app: App
  requestToken: string
}

/** An app that showed its key and secret. */
export interface BasicCaller {
  kind: 'basic'
  pool: Pool
  scopes: Scopes
  app: App
}

/** Somebody who showed nothing. */
export interface Nobody {
  kind: 'none'
  pool: Pool
  scopes: Scopes
}

/**
 * How a caller may sign in:
 * `app` an app-only bearer, `user` OAuth 1.0a with an access token, `client` OAuth 1.0a with the
 * app's key alone, `pending` OAuth 1.0a with a request token, `basic` the app's key and secret,
 * `none` nothing at all.
 */
export type AuthKind = keyof Principals

/** Who a caller of each auth kind is. */
export interface Principals {
  app: AppCaller
  user: UserCaller
  client: ClientCaller
  pending: PendingCaller
  basic: BasicCaller
  none: Nobody
}

export type Principal = Principals[keyof Principals]
