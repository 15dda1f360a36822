import type { Area, Exchange } from '../support/exchange.ts'

const SEARCH = 'GET /insights/keywords/search'
const US = '96683cc9126741d1'
const CITY = '3b77caf94bfc81fe'
const day = { start_time: '2018-02-01', end_time: '2018-02-02' }
const window = { start_time: '2018-02-01T00:00:00Z', end_time: '2018-02-02T00:00:00Z' }
const eleven = 'abcdefghijk'.split('')
const wrong = (
  it: string,
  changes: Record<string, string | undefined>,
  error: { code: string; message: string; parameter: string },
  params: object,
): Exchange => ({
  it,
  send: SEARCH,
  query: Object.fromEntries(
    Object.entries({ granularity: 'DAY', keywords: 'developers', ...day, ...changes }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  ),
  status: 400,
  reply: { errors: [error], request: { params } },
})

/** Sources: interface, keyword insights and Limits; reference: audiences, section 8. */
export const insights: Area = {
  name: 'keyword insights',
  base: '{ads_url}/12',
  as: 'user',
  rows: [
    {
      it: 'the documented call: a count for the day',
      send: SEARCH,
      query: { granularity: 'DAY', keywords: 'developers', ...day },
      status: 200,
      reply: {
        request: { params: { ...window, granularity: 'DAY', keywords: ['developers'] } },
        data: { related_keywords: [], post_volume: [0] },
      },
      limit: 500,
    },
    {
      it: 'a count for each hour that has begun, of a country, without negative keywords',
      send: SEARCH,
      query: {
        granularity: 'HOUR',
        keywords: 'cat,#dog',
        negative_keywords: 'big mouse',
        location: US,
        start_time: '2018-02-01T10:30:00Z',
        end_time: '2018-02-01T13:00:00Z',
      },
      status: 200,
      reply: {
        request: {
          params: {
            granularity: 'HOUR',
            keywords: ['cat', '#dog'],
            negative_keywords: ['big mouse'],
            location: US,
            start_time: '2018-02-01T10:30:00Z',
            end_time: '2018-02-01T13:00:00Z',
          },
        },
        data: { related_keywords: [], post_volume: [0, 0, 0] },
      },
    },
    wrong(
      'a call without keywords',
      { keywords: undefined },
      { code: 'MISSING_PARAMETER', message: '"keywords" is a required parameter', parameter: 'keywords' },
      { granularity: 'DAY', ...window },
    ),
    wrong(
      'a granularity that there is not',
      { granularity: 'TOTAL' },
      {
        code: 'INVALID_PARAMETER',
        message: 'Expected a value in DAY, HOUR, got "TOTAL" for granularity',
        parameter: 'granularity',
      },
      { keywords: ['developers'], ...window },
    ),
    wrong(
      'more than ten keywords',
      { keywords: eleven.slice(0, 6).join(), negative_keywords: eleven.slice(6).join() },
      {
        code: 'INVALID_PARAMETER',
        message: 'keywords and negative_keywords may have at most 10 entries together, got 11',
        parameter: 'keywords',
      },
      { granularity: 'DAY', keywords: eleven.slice(0, 6), negative_keywords: eleven.slice(6), ...window },
    ),
    wrong(
      'a keyword without a word',
      { keywords: '!?' },
      {
        code: 'INVALID_PARAMETER',
        message: 'Expected a word or an emoji, got "!?" for keywords',
        parameter: 'keywords',
      },
      { granularity: 'DAY', keywords: ['!?'], ...window },
    ),
    wrong(
      'a place in a country',
      { location: CITY },
      {
        code: 'INVALID_PARAMETER',
        message: `Expected the targeting_value of a country, got "${CITY}" for location`,
        parameter: 'location',
      },
      { granularity: 'DAY', keywords: ['developers'], ...window, location: CITY },
    ),
    wrong(
      'more than seven days',
      { end_time: '2018-02-08T00:00:01Z' },
      {
        code: 'INVALID_TIME_WINDOW',
        message:
          'Expected at most 7 days, got "2018-02-01T00:00:00Z" for start_time and "2018-02-08T00:00:01Z" for end_time',
        parameter: 'end_time',
      },
      { granularity: 'DAY', keywords: ['developers'], ...window, end_time: '2018-02-08T00:00:01Z' },
    ),
    wrong(
      'an end that is no later than the start',
      { end_time: '2018-02-01' },
      {
        code: 'INVALID_TIME_WINDOW',
        message:
          'Expected a time later than start_time 2018-02-01T00:00:00Z, got "2018-02-01T00:00:00Z" for end_time',
        parameter: 'end_time',
      },
      { granularity: 'DAY', keywords: ['developers'], ...window, end_time: '2018-02-01T00:00:00Z' },
    ),
    wrong(
      'a start that has not come',
      { start_time: '2999-01-01', end_time: '2999-01-02' },
      {
        code: 'INVALID_TIME_WINDOW',
        message: 'Expected a time in the past, got "2999-01-01T00:00:00Z" for start_time',
        parameter: 'start_time',
      },
      {
        granularity: 'DAY',
        keywords: ['developers'],
        start_time: '2999-01-01T00:00:00Z',
        end_time: '2999-01-02T00:00:00Z',
      },
    ),
  ],
}
