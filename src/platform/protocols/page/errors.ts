import type { Renderer } from '../../http/contract.ts'
import type { ApiError, Violation } from '../../http/errors.ts'
import { neutralVocabulary } from '../../http/vocabulary.ts'
import { type Cause, wordsOf } from '../catalogue.ts'
import { errorPage, pageHeaders } from './layout.ts'

/** The error format of browser pages: a page that explains the error in plain words. */
export const page: Renderer = (error) => {
  const { status } = wordsOf(error, neutralVocabulary).legacy
  const { heading, explanation } = sentenceOf(error)
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    headers: pageHeaders(),
    body: errorPage(heading, error.violations.length > 0 ? incomplete(error.violations) : explanation),
  }
}

interface PageSentence {
  heading: string
  explanation: string
}

const GENERIC: PageSentence = {
  heading: 'Something went wrong',
  explanation: 'Go back to the app and try again.',
}

function sentenceOf({ reason, headers }: ApiError): PageSentence {
  const sentence = SENTENCES[reason as Cause] ?? GENERIC
  const seconds = headers['retry-after']
  return seconds === undefined
    ? sentence
    : { ...sentence, explanation: `Wait ${minutes(seconds)} and try again.` }
}

const SECONDS_OF_MINUTE = 60
function minutes(seconds: string): string {
  const count = Math.ceil(Number(seconds) / SECONDS_OF_MINUTE)
  return count === 1 ? '1 minute' : `${count} minutes`
}

const incomplete = (violations: readonly Violation[]) =>
  `${violations.some(({ place }) => place === 'query') ? 'The address of this page' : 'The form'} is not complete: ${violations[0]?.name} is missing or wrong. Go back to the app and start again.`

const SENTENCES: Partial<Record<Cause, PageSentence>> = {
  'invalid token': {
    heading: 'This link has expired.',
    explanation: 'It has already been used, or it is too old. Go back to the app and start again.',
  },
  'client unknown': {
    heading: 'This app is not known',
    explanation:
      'The address of this page names no app that may ask for access. Go back to the app and try again.',
  },
  'callback not approved': {
    heading: 'This app cannot be trusted with a response',
    explanation:
      'The address of this page would send you to a place that the app has not registered. You were not sent there.',
  },
  'client not permitted': {
    heading: 'This app signs in differently',
    explanation: 'A desktop app asks for access on another page, which shows you a PIN.',
  },
  'user suspended': {
    heading: 'This account is suspended',
    explanation: 'A suspended account cannot give apps access.',
  },
  'app suspended': {
    heading: 'This app is suspended',
    explanation: 'It can no longer ask for access to your account.',
  },
  'form not authentic': {
    heading: 'This form has expired.',
    explanation:
      'It is too old, it was sent from another site, or this browser does not accept cookies. Nothing was changed. Start again.',
  },
  'rate limited': {
    heading: 'Too many attempts',
    explanation: 'Wait a few minutes and try again.',
  },
}
