import { eventKind } from '../../platform/events/event.ts'

type User = { user_id: string }
type App = { app_id: string }

export const userSuspended = eventKind<User>('user.suspended', ({ user_id }) => user_id)
/** The suspension ended. */
export const userRestored = eventKind<User>('user.restored', ({ user_id }) => user_id)

export const appSuspended = eventKind<App>('app.suspended', ({ app_id }) => app_id)
export const appRestored = eventKind<App>('app.restored', ({ app_id }) => app_id)

/** The app may use the endpoints under `/2/` from now on. */
export const appEnrolled = eventKind<App>('app.enrolled', ({ app_id }) => app_id)
export const appUnenrolled = eventKind<App>('app.unenrolled', ({ app_id }) => app_id)

type AccessEvent = { app_id: string; user_id: string }
/** Of OAuth: which tokens. */
type OauthVersion = { oauth: '1.0a' | '2.0' }

/** A user gave an app access. `allowed`: the OAuth 1.0a level, or the OAuth 2.0 scopes. */
export const accessGranted = eventKind<AccessEvent & OauthVersion & { allowed: string }>(
  'access.granted',
  ({ user_id }) => user_id,
)
/** Tokens were revoked, or replaced by others. */
export const accessRevoked = eventKind<AccessEvent & OauthVersion>('access.revoked', ({ user_id }) => user_id)
/** The last access of an app to a user was revoked. */
export const appRevoked = eventKind<AccessEvent>('app.revoked', ({ user_id }) => user_id)
