import { Type } from 'typebox'
import { choice, text } from '../../platform/http/schema.ts'

/** The query parameters of both pages (interface, OAuth endpoints). */
export const pageParameters = {
  oauth_token: text(1, 200, 'The request token.'),
  force_login: Type.Optional(text(0, 10, '`true` asks for the password even if a user is signed in.')),
  screen_name: Type.Optional(text(0, 200, 'Prefills the sign-in form.')),
}

/** The fields of a sign-in form. */
export const signInFields = {
  screen_name: Type.Optional(text(0, 200, 'Who signs in.')),
  password: Type.Optional(text(0, 1000, 'With which password.')),
}

/** The fields of the forms of both pages. */
export const decision = {
  oauth_token: text(1, 200, 'The request token.'),
  form_token: text(1, 100, 'Only our own page knows it.'),
  decision: choice(['sign-in', 'approve', 'cancel'], 'The button that was pressed.'),
  ...signInFields,
}

/** A form holds a few short fields. */
export const MAX_FORM_BYTES = 16 * 1024
