import type { Permission } from '../apps/app.ts'

/** What the level of an OAuth 1.0a access token allows, from the least to the most. */
export const LEVELS = ['read', 'write', 'direct-messages'] as const
export type Level = (typeof LEVELS)[number]

/** A scope of OAuth 2.0. */
interface ScopeRow {
  /** The OAuth 1.0a level that allows the same. */
  level: Level
  /** What the user is told that the app will be able to do. */
  may: string
}

/** Every OAuth 2.0 user scope (core reference, 01 section 5.5). */
const table = {
  'post.read': { level: 'read', may: 'See the posts that you can see, also those of protected accounts' },
  'post.write': { level: 'write', may: 'Publish, repost and delete posts for you' },
  'post.moderate.write': { level: 'write', may: 'Hide and show replies to your posts' },
  'users.read': { level: 'read', may: 'See the profiles that you can see, also those of protected accounts' },
  'users.email': { level: 'read', may: 'See your confirmed e-mail address' },
  'follow.read': { level: 'read', may: 'See who you follow and who follows you' },
  'follow.write': { level: 'write', may: 'Follow and unfollow accounts for you' },
  'offline.access': { level: 'read', may: 'Keep this access until you end it' },
  'space.read': { level: 'read', may: 'See the spaces that you can see' },
  'mute.read': { level: 'read', may: 'See the accounts that you mute' },
  'mute.write': { level: 'write', may: 'Mute and unmute accounts for you' },
  'like.read': { level: 'read', may: 'See the posts that you like' },
  'like.write': { level: 'write', may: 'Like posts for you, and take likes back' },
  'list.read': { level: 'read', may: 'See your lists, also private ones' },
  'list.write': { level: 'write', may: 'Create, change and delete lists for you' },
  'block.read': { level: 'read', may: 'See the accounts that you block' },
  'block.write': { level: 'write', may: 'Block and unblock accounts for you' },
  'bookmark.read': { level: 'read', may: 'See your bookmarks' },
  'bookmark.write': { level: 'write', may: 'Add and remove bookmarks for you' },
  'dm.read': { level: 'direct-messages', may: 'See your direct messages' },
  'dm.write': { level: 'direct-messages', may: 'Send and delete direct messages for you' },
  'media.write': { level: 'write', may: 'Upload images and videos for you' },
  'timeline.read': { level: 'read', may: 'See the custom timelines that you can see' },
  'broadcast.read': { level: 'read', may: 'See your broadcasts' },
  'broadcast.write': { level: 'write', may: 'Create and change broadcasts for you' },
} as const satisfies Record<string, ScopeRow>

export type TokenScope = keyof typeof table

export const TOKEN_SCOPES = Object.keys(table) as TokenScope[]

/** What a scope lets an app do, in words for its user. */
export const scopeSentence = (scope: TokenScope): string => table[scope].may

/**
 * Other spellings that clients use. The interface has `follow.read`; published clients send
 * `follows.read`.
 */
const SYNONYMS: Readonly<Record<string, TokenScope>> = {
  'follows.read': 'follow.read',
  'follows.write': 'follow.write',
}

/** Every spelling of every scope. */
export const SCOPE_SPELLINGS: readonly string[] = [...TOKEN_SCOPES, ...Object.keys(SYNONYMS)]

const isTokenScope = (text: string): text is TokenScope => Object.hasOwn(table, text)

/** The scopes of a token. */
export type TokenScopes = ReadonlySet<TokenScope>

/** Parses stored scopes: spellings separated by spaces. */
export const readScopes = (text: string): TokenScopes =>
  new Set(text.split(' ').flatMap((word) => SYNONYMS[word] ?? (isTokenScope(word) ? word : [])))

/**
 * What endpoints declare as `scopes`. With OAuth 2.0 scopes, the endpoint accepts OAuth 2.0 user
 * tokens that have all of them, and OAuth 1.0a tokens of the level that follows from them. A level
 * in the list replaces that OAuth 1.0a level. An endpoint that declares only levels does not accept
 * OAuth 2.0 user tokens.
 */
export type Scope = Level | TokenScope | typeof LEVEL_FIRST

/**
 * Declared by endpoints where the level of the OAuth 1.0a token decides, if the app has one for the
 * user, instead of the scopes of the OAuth 2.0 token that it sends (interface, Authentication rule
 * 2).
 */
const LEVEL_FIRST = 'level-first'

export type Levels = ReadonlySet<Level>

/** What an endpoint requires of a user's token. */
export interface TokenRequirements {
  levels: readonly Level[]
  scopes: readonly TokenScope[]
  /**
   * Whether the level of an OAuth 1.0a token of the same user and app decides, instead of the
   * scopes.
   */
  levelFirst: boolean
}

const isLevel = (scope: Scope): scope is Level => (LEVELS as readonly string[]).includes(scope)

/** The requirements that follow from declared scopes. */
export function requirementsOf(declared: readonly Scope[]): TokenRequirements {
  const levels = declared.filter(isLevel)
  const scopes = declared.filter(isTokenScope)
  const levelFirst = declared.includes(LEVEL_FIRST)
  if (levels.length > 0) return { levels, scopes, levelFirst }
  const needed = new Set<Level>(scopes.map((scope) => table[scope].level))
  return { levels: LEVELS.filter((level) => needed.has(level)), scopes, levelFirst }
}

/** Whether an endpoint accepts OAuth 2.0 user tokens: it declares the scopes that they need. */
export const takesUserTokens = (declared: {
  auth: readonly string[]
  scopes: readonly string[]
  moreScopes: readonly string[]
}): boolean =>
  declared.auth.includes('user') && [...declared.scopes, ...declared.moreScopes].some(isTokenScope)

const LEVELS_OF: Readonly<Record<Permission, Levels>> = {
  read: new Set(['read']),
  'read-write': new Set(['read', 'write']),
  'read-write-directmessages': new Set(LEVELS),
}

/** The levels of an OAuth 1.0a access token. */
export const levelsOf = (permission: Permission): Levels => LEVELS_OF[permission]

/** An app that acts for itself may do everything with what belongs to it. */
export const ALL_LEVELS: Levels = new Set(LEVELS)

/** What anyone may do. */
export const PUBLIC_LEVELS: Levels = new Set(['read'])
