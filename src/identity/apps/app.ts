/** What an app may do for a user; each level includes the ones before it. */
export const PERMISSIONS = ['read', 'read-write', 'read-write-directmessages'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** How users authorize an app. Desktop apps have no callback: they use a PIN. */
export const APP_KINDS = ['web', 'desktop'] as const
export type AppKind = (typeof APP_KINDS)[number]

/**
 * How an app authenticates with OAuth 2.0: a confidential client has a secret; a public one has
 * none. A native client is public, and may use any loopback port as callback (RFC 8252).
 */
export const CLIENT_TYPES = ['confidential', 'public', 'native'] as const
export type ClientType = (typeof CLIENT_TYPES)[number]

/** An app as an OAuth 2.0 client. */
export interface Client {
  readonly id: string
  readonly type: ClientType
  /** Confidential clients only. */
  readonly secret: string | undefined
}

/** A developer's app: an OAuth client. */
export interface App {
  readonly id: string
  readonly ownerUserId: string
  readonly name: string
  readonly website: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly permission: Permission
  readonly kind: AppKind
  /** Whether `authenticate` may skip the consent page if the user has granted access before. */
  readonly signIn: boolean
  readonly suspended: boolean
  /** Whether the app may use the endpoints under `/2/`: it belongs to the project of its owner. */
  readonly enrolled: boolean
  /** Whether the app may open the streams of enterprise plans. */
  readonly enterprise: boolean
  readonly bearerGeneration: number
  /** The generation of the current bearer token; undefined if there is none. */
  readonly bearerHash: string | undefined
  /** Undefined when the app does not use OAuth 2.0. */
  readonly client: Client | undefined
}

/** Whether one level includes another. */
export const covers = (granted: Permission, required: Permission) =>
  PERMISSIONS.indexOf(granted) >= PERMISSIONS.indexOf(required)

/** The beginning of every app-only bearer token, and of no other token. */
export const BEARER_RUN = 'A'.repeat(21)
