import { isCountry } from '../common/countries.ts'
import { option } from './option.ts'
import { wholeNumber } from './readers.ts'

function country(text: string): string {
  if (!isCountry(text)) throw new Error('must be a country code of two capital letters, for example US')
  return text
}

/** Keyword insights. */
export const insightOptions = {
  insightDays: option({
    flag: 'insight-days',
    takes: 'D',
    describe: 'Maximum age of the posts that keyword insights count.',
    fallback: 30,
    read: wholeNumber(1, 3_650),
  }),
  defaultCountry: option({
    flag: 'default-country',
    takes: 'CODE',
    describe:
      'Country (ISO 3166-1 alpha-2) of keyword insights requests that name none, and of posts whose place and author name none.',
    fallback: 'US',
    read: country,
  }),
} as const
