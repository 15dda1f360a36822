import { isUtf8 } from 'node:buffer'
import type { Subtitles } from './inspected.ts'

export const MAX_SUBTITLES_BYTES = 1024 * 1024

/** `00:00:01,500 --> 00:00:04,000`. WebVTT uses points, and hours are optional. */
const TIMES: Readonly<Record<'text/vtt' | 'text/srt', RegExp>> = {
  'text/vtt':
    /^((?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3})[ \t]+-->[ \t]+((?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3})(?:[ \t]|$)/,
  'text/srt':
    /^([0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3})[ \t]+-->[ \t]+([0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3})[ \t]*$/,
}
const MAX_LINE = 1_000

/** Subtitles in WebVTT or SubRip: UTF-8 text with at least one cue, and no cue that ends before it begins. */
export function readSubtitles(content: Buffer): Subtitles | undefined {
  if (!isUtf8(content)) return undefined
  const lines = content
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
  const contentType = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '') ? 'text/vtt' : 'text/srt'
  const cues = lines.filter((line) => line.includes('-->'))
  if (cues.length === 0 || !cues.every((line) => isTiming(line, TIMES[contentType]))) return undefined
  return { kind: 'SUBTITLES', contentType, width: null, height: null, durationMs: null }
}

function isTiming(line: string, times: RegExp): boolean {
  if (line.length > MAX_LINE) return false
  const [, from, to] = times.exec(line) ?? []
  return from !== undefined && to !== undefined && millisOf(from) <= millisOf(to)
}

/** Parses `01:02:03,004` or `02:03.004`. */
function millisOf(time: string): number {
  const [seconds = 0, minutes = 0, hours = 0] = time.replace(',', '.').split(':').map(Number).reverse()
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
}
