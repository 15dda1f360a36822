import { isCountry } from '../common/countries.ts'
import { option } from './option.ts'

function country(text: string): string {
  if (!isCountry(text)) throw new Error('must be a country code of two capital letters, for example US')
  return text
}

/** Keyword insights. */
export const insightOptions = {
  defaultCountry: option({
    flag: 'default-country',
    takes: 'CODE',
    describe:
      'Country (ISO 3166-1 alpha-2) of keyword insights requests that name none, and of posts whose place and author name none.',
    fallback: 'US',
    read: country,
  }),
} as const
