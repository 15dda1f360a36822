/** What an app may do for a user; each level includes the ones before it. */
export const PERMISSIONS = ['read', 'read-write', 'read-write-directmessages'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** How an app meets its users. Desktop apps have no callback: they use a pin. */
export const APP_KINDS = ['web', 'desktop'] as const
export type AppKind = (typeof APP_KINDS)[number]

/**
 * How an app proves itself with OAuth 2.0: a confidential client by its secret; a public one has none. A native one is
 * public, and may be called back on any port of this machine (RFC 8252).
 */
export const CLIENT_TYPES = ['confidential', 'public', 'native'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]

/** An app as a client of OAuth 2.0. */
export interface Client {
  readonly id: string
  readonly type: ClientType
  /** Of a confidential client only. */
  readonly secret: string | undefined
}

/** A developer's app: the client of OAuth. */
export interface App {
  readonly id: string
  readonly ownerUserId: string
  readonly name: string
  readonly website: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly permission: Permission
  readonly kind: AppKind
  /** Whether `authenticate` may skip the question when the user has granted the app before. */
  readonly signIn: boolean
  readonly suspended: boolean
  /** Whether the app may use the endpoints under `/2/`: it belongs to the project of its owner. */
  readonly enrolled: boolean
  readonly bearerGeneration: number
  /** Of the outstanding bearer; undefined while there is none. */
  readonly bearerHash: string | undefined
  /** Undefined when the app does not use OAuth 2.0. */
  readonly client: Client | undefined
}

/** Whether one level covers another. */
export const covers = (granted: Permission, wanted: Permission) =>
  PERMISSIONS.indexOf(granted) >= PERMISSIONS.indexOf(wanted)

/** In front of every app-only bearer, and of no other token. */
export const BEARER_RUN = 'A'.repeat(21)
