import { postsEndpoint } from '../../volume.ts'

const ofLanguage = (lang: 'en' | 'ja' | 'ko' | 'pt', language: string, partitions: number) =>
  postsEndpoint({
    id: `streamFirehose${language}`,
    path: `/2/posts/firehose/stream/lang/${lang}`,
    summary: `Stream all ${language} posts`,
    contents: `Sends all public ${language} posts as they are published. The language is \`lang\` of the post, which Plaza detects in its text.`,
    calls: 50,
    volume: { endpointName: `firehose_stream_lang_${lang}`, partitions, percent: 100, lang },
  })

/** GET /2/posts/firehose/stream/lang/en: all public posts in English. */
export const streamFirehoseEnglish = ofLanguage('en', 'English', 8)
/** GET /2/posts/firehose/stream/lang/ja: all public posts in Japanese. */
export const streamFirehoseJapanese = ofLanguage('ja', 'Japanese', 2)
/** GET /2/posts/firehose/stream/lang/ko: all public posts in Korean. */
export const streamFirehoseKorean = ofLanguage('ko', 'Korean', 2)
/** GET /2/posts/firehose/stream/lang/pt: all public posts in Portuguese. */
export const streamFirehosePortuguese = ofLanguage('pt', 'Portuguese', 2)
