import type { App } from '../../identity/apps/app.ts'
import type { Pair } from '../../platform/http/input/form.ts'

/** `oauth_callback` of an app that shows a PIN instead. */
export const OUT_OF_BAND = 'oob'

/**
 * What a page asks a user: whether an app may have access to the account. OAuth 1.0a and OAuth 2.0
 * use it.
 */
export interface Question {
  app: App
  /** The path that receives the forms of the page. */
  action: string
  /** The address of the page: path and query. */
  address: string
  /** What the form tokens are bound to. */
  subject: string
  /** The hidden fields of the forms, by public name. */
  fields: readonly Pair[]
  /** Where the browser goes afterwards; `oob` if the user gets a PIN. */
  callback: string
}

/** What the app will be able to do, and what it will not, in sentences. */
export interface PermissionSummary {
  may: readonly string[]
  mayNot: readonly string[]
}
