import { isUtf8 } from 'node:buffer'
import { Slices } from '../../../platform/common/slices.ts'
import type { InspectedSubtitles } from './inspected.ts'

export const MAX_SUBTITLES_BYTES = 1024 * 1024

/** `00:00:01,500 --> 00:00:04,000`. WebVTT uses points, and hours are optional. */
const TIMES: Readonly<Record<'text/vtt' | 'text/srt', RegExp>> = {
  'text/vtt':
    /^((?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3})[ \t]+-->[ \t]+((?:[0-9]{2,}:)?[0-5][0-9]:[0-5][0-9]\.[0-9]{3})(?:[ \t]|$)/,
  'text/srt':
    /^([0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3})[ \t]+-->[ \t]+([0-9]{2,}:[0-5][0-9]:[0-5][0-9],[0-9]{3})[ \t]*$/,
}
const MAX_LINE = 1_000
const ARROW = '-->'

/**
 * Subtitles in WebVTT or SubRip: UTF-8 text with at least one cue, and no cue that ends before it
 * begins.
 */
export async function readSubtitles(content: Buffer): Promise<InspectedSubtitles | undefined> {
  if (!isUtf8(content)) return undefined
  const slices = new Slices()
  const text = content.toString('utf8').replace(/^\ufeff/, '')
  const contentType = /^WEBVTT(?:[ \t\r\n]|$)/.test(text) ? 'text/vtt' : 'text/srt'
  let cues = 0
  for (let arrow = text.indexOf(ARROW); arrow !== -1; cues++) {
    if (slices.isOver) await slices.next()
    const { line, end } = lineAround(text, arrow)
    if (!isTiming(line, TIMES[contentType])) return undefined
    arrow = text.indexOf(ARROW, end)
  }
  if (cues === 0) return undefined
  return { kind: 'SUBTITLES', contentType, width: null, height: null, durationMs: null }
}

/** The line around a position, cut where it becomes too long. */
function lineAround(text: string, at: number): { line: string; end: number } {
  const before = text.slice(Math.max(0, at - MAX_LINE), at)
  const after = text.slice(at, at + MAX_LINE)
  const start = at - before.length + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  const ending = after.search(/[\r\n]/)
  const end = ending === -1 ? at + after.length : at + ending
  return { line: text.slice(start, end), end }
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
