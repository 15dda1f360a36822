/** A developer app and its keys. */
export interface StartedApp {
  readonly id: string
  readonly name: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** The OAuth 2.0 client id; undefined when the app does not use OAuth 2.0. */
  readonly clientId: string | undefined
  /** Undefined for clients that are not confidential. */
  readonly clientSecret: string | undefined
  /** OAuth 2.0 tokens that the seed gave it, also of users who cannot sign in. */
  readonly userTokens: readonly StartedUserToken[]
}

/** OAuth 2.0 tokens of a user. */
export interface StartedUserToken {
  readonly userId: string
  readonly screenName: string
  readonly scopes: readonly string[]
  readonly accessToken: string
  /** Undefined without the scope `offline.access`. */
  readonly refreshToken: string | undefined
  /** When the access token ends. */
  readonly expiresAt: Date
}

/** A user, with the tokens that the user granted. */
export interface StartedUser {
  readonly id: string
  readonly screenName: string
  readonly name: string
  readonly password: string
  /** One for each app that the user granted access. */
  readonly tokens: readonly { readonly appId: string; readonly token: string; readonly secret: string }[]
}
