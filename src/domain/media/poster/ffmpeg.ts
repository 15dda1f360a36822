import { accessSync, constants, createWriteStream, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Config, ConfigError, searchPath } from '../../../platform/config/config.ts'
import type { MediaTaskDependencies } from '../dependencies.ts'
import { type ProcessLimits, runLimited } from './child.ts'

/** A stored video, and the size of the required poster in pixels. */
export interface PosterVideo {
  hash: string
  bytes: number
  width: number
  height: number
}

/** The time limit of one video, including its copy to a file. */
const MAX_MS = 30_000
const LIMITS: ProcessLimits = { cpuSeconds: 20, memoryBytes: 2 ** 30, outputBytes: 4 * 2 ** 20 }
const QUALITY = '3'
const FILE_MODE = 0o600

/**
 * The ffmpeg to use: the configured one, or the first on the search path; undefined if there is
 * none.
 * @throws ConfigError The configured program cannot be run.
 */
export function ffmpegOf({ ffmpeg }: Pick<Config, 'ffmpeg'>): string | undefined {
  if (ffmpeg === 'none') return undefined
  if (ffmpeg === undefined)
    return searchPath()
      .map((folder) => join(folder, 'ffmpeg'))
      .find(isProgram)
  if (!isProgram(ffmpeg)) throw new ConfigError(`--ffmpeg ${ffmpeg}: is not a file that can be run`)
  return resolve(ffmpeg)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The first frame of a video, upright, as a JPEG.
 * @throws Error if it cannot be extracted within the limits; the reason of `stopping` if that is
 *   aborted
 */
export async function firstFrameOf(
  video: PosterVideo,
  program: string,
  {
    files,
    machineClock,
    stopping,
  }: Pick<MediaTaskDependencies, 'files' | 'machineClock'> & { stopping: AbortSignal },
): Promise<Buffer> {
  const done = new AbortController()
  const overdue = new AbortController()
  void machineClock.at(machineClock.now() + MAX_MS, done.signal).then((came) => {
    if (came) overdue.abort(new Error(`it took longer than ${MAX_MS / 1000} s`))
  })
  const signal = AbortSignal.any([stopping, overdue.signal])
  const folder = files.pathOf ? undefined : await mkdtemp(join(tmpdir(), 'plaza-video-'))
  try {
    const path = folder === undefined ? files.pathOf?.(video.hash) : join(folder, 'video')
    if (path === undefined) throw new Error('its file has no path')
    if (folder !== undefined)
      await pipeline(
        files.stream(video.hash, 0, video.bytes),
        createWriteStream(path, { flags: 'wx', mode: FILE_MODE }),
        { signal },
      )
    return await runLimited([program, ...framing(resolve(path), video)], LIMITS, signal)
  } finally {
    done.abort()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Opens only this file: no network, no playlist, no file that the video refers to. */
const framing = (path: string, { width, height }: PosterVideo): string[] => [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error'],
  ...['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-enable_drefs', '0', '-threads', '1'],
  ...['-i', `file:${path}`, '-map', '0:v:0', '-an', '-sn', '-dn', '-frames:v', '1'],
  ...['-vf', `scale=${width}:${height},setsar=1`, '-threads', '1'],
  ...['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', QUALITY, '-f', 'image2pipe', 'pipe:1'],
]
