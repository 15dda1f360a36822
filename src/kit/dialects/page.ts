import { words } from '../errors.ts'
import { errorPage, pageHeaders } from '../layout.ts'
import type { Dialect } from './dialect.ts'

/** The dialect of browser pages: a refusal is a page that says in plain words what happened. */
export const page: Dialect = (refusal) => {
  const { status } = words[refusal.reason].legacy
  const { heading, explanation } = SENTENCES[refusal.reason] ?? GENERIC
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(),
    body: errorPage(
      heading,
      refusal.violations.length > 0 ? missing(refusal.violations[0]?.name) : explanation,
    ),
  }
}

interface Sentence {
  heading: string
  explanation: string
}

const GENERIC: Sentence = {
  heading: 'This did not work',
  explanation: 'Something went wrong. Go back to the app and try again.',
}

const missing = (name: string | undefined) =>
  `The address of this page is not complete: ${name} is missing or wrong.`

const SENTENCES: Partial<Record<keyof typeof words, Sentence>> = {
  'invalid token': {
    heading: 'This link is no longer good',
    explanation: 'It was already used, or it has expired. Go back to the app and start again.',
  },
  'client not permitted': {
    heading: 'This app signs in differently',
    explanation: 'A desktop app asks for permission on its own page and shows you a pin.',
  },
  'rate limited': {
    heading: 'Too many tries',
    explanation: 'Wait a few minutes and try again.',
  },
}
