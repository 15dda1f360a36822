import { isCountry } from '../common/countries.ts'
import { option } from './option.ts'
import { plainText } from './readers.ts'

function country(text: string): string {
  if (!isCountry(text)) throw new Error('must be a country code of two capital letters, for example US')
  return text
}

/** Annotations of posts, and keyword insights. */
export const insightOptions = {
  annotations: option({
    flag: 'annotations',
    takes: 'default|off|FILE',
    describe:
      'Dictionary of names and topics that are found in new posts and become their annotations: a small one in English, none, or a file with a line for each domain: its number, its name, the type of annotations or -, and names, separated by tabs. A name may have other forms after |, and its id before a colon.',
    fallback: 'default',
    read: plainText,
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
