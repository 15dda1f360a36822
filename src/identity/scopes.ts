import type { Permission } from './app.ts'

/** What a call needs to be allowed, and a caller is allowed. */
export const SCOPES = ['read', 'write', 'direct-messages'] as const
export type Scope = (typeof SCOPES)[number]

export type Scopes = ReadonlySet<Scope>

const LEVELS: Readonly<Record<Permission, Scopes>> = {
  read: new Set(['read']),
  'read-write': new Set(['read', 'write']),
  'read-write-directmessages': new Set(SCOPES),
}

/** The scopes of an OAuth 1.0a access token, by its level. */
export const scopesOf = (level: Permission): Scopes => LEVELS[level]

/** An app that acts for itself may do everything with what belongs to it. */
export const ALL_SCOPES: Scopes = new Set(SCOPES)

/** What anyone may do. */
export const PUBLIC_SCOPES: Scopes = new Set(['read'])
