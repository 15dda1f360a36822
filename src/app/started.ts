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
