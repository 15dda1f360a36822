import type { Pool } from '../../platform/http/exchange.ts'
import type { Pair } from '../../platform/http/input/form.ts'
import type { App, Permission } from '../apps/app.ts'
import type { Levels, TokenScopes } from '../tokens/scopes.ts'

interface SignatureParameters {
  /** All parameters that the signature covers. */
  parameters: readonly Pair[]
  isOfSignature(name: string): boolean
}

/** An app, authenticated by its bearer token. */
export interface AppCaller {
  kind: 'app'
  pool: Pool
  levels: Levels
  app: App
}

interface User {
  kind: 'user'
  pool: Pool
  app: App
  userId: string
  /** Whether the user is suspended. Handlers never see suspended users. */
  suspended: boolean
}

/** A user, authenticated by an app's signature with an access token. */
export interface SignedUser extends User, SignatureParameters {
  oauth: '1.0a'
  levels: Levels
  /** The access token of the signature. */
  token: string
  /** The level of the token. */
  access: Permission
}

/** A user, authenticated by an OAuth 2.0 access token. */
export interface TokenUser extends User {
  oauth: '2.0'
  scopes: TokenScopes
  /**
   * The levels of the OAuth 1.0a token that the app also has for the user; undefined without one.
   */
  levels: Levels | undefined
}

/** A user, acting through an app. */
export type UserCaller = SignedUser | TokenUser

/** Who has a share of what callers share: the owner of the pool in which calls are counted. */
export const ownerOf = ({ pool }: Principal): string => `${pool.kind} ${pool.owner}`

/** The user of an endpoint that accepts only signatures. */
export function asSigned(user: UserCaller): SignedUser {
  if (user.oauth !== '1.0a') throw new TypeError('The endpoint takes tokens of OAuth 2.0')
  return user
}

/** An app, authenticated by a signature with its key alone. */
export interface ClientCaller extends SignatureParameters {
  kind: 'client'
  pool: Pool
  levels: Levels
  app: App
}

/** An app, authenticated by a signature with a request token. */
export interface PendingCaller extends SignatureParameters {
  kind: 'pending'
  pool: Pool
  levels: Levels
  app: App
  requestToken: string
}

/** An app, authenticated by its key and secret. */
export interface BasicCaller {
  kind: 'basic'
  pool: Pool
  levels: Levels
  app: App
}

/** A caller without credentials. */
export interface Anonymous {
  kind: 'none'
  pool: Pool
  levels: Levels
}

/**
 * The kinds of authentication: `app` an app-only bearer, `user` OAuth 1.0a with an access token, or
 * an access token of OAuth 2.0 where the endpoint declares its scopes, `client` OAuth 1.0a with the
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
