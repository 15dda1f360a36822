import { eventKind } from '../events/event.ts'

type User = { user_id: string }
type App = { app_id: string }

export const userSuspended = eventKind<User>('user.suspended', ({ user_id }) => user_id)
/** The suspension ended. */
export const userRestored = eventKind<User>('user.restored', ({ user_id }) => user_id)

export const appSuspended = eventKind<App>('app.suspended', ({ app_id }) => app_id)
export const appRestored = eventKind<App>('app.restored', ({ app_id }) => app_id)
