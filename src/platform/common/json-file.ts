import { readFileSync } from 'node:fs'
import { exactJson } from './exact-json.ts'

/**
 * A JSON file that a user wrote, with the position of each value. Its values are those of
 * `exactJson`.
 */
export interface JsonFile {
  readonly value: unknown
  /**
   * An error about the value at a JSON pointer: `seed.json:12:7: at /users/0/name: what is wrong`.
   */
  error(pointer: string, what: string): Error
}

/** Reads a JSON file. Throws an error with the file and, if it is not JSON, the line and column. */
export const readJsonFile = (file: string): JsonFile => parseJsonFile(readText(file), file)

/** The text of a file that a user named. Throws an error with the file. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file}: ${reasonOf(error as NodeJS.ErrnoException)}`)
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException) =>
  code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'this is a folder' : message

/** Parses the text of a JSON file. Errors call it `file`. */
export function parseJsonFile(text: string, file: string): JsonFile {
  const at = (offset: number) => {
    const before = text.slice(0, offset).split('\n')
    return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`
  }
  let value: unknown
  try {
    value = exactJson(text)
  } catch (error) {
    throw new Error(`${at(faultOffset(text))}: this is not JSON: ${reasonFor(error as Error)}`)
  }
  let offsets: Map<string, number> | undefined
  return {
    value,
    error(pointer, what) {
      offsets ??= offsetsOf(text)
      const where = pointer === '' ? '' : `at ${pointer}: `
      return new Error(`${at(offsets.get(pointer) ?? 0)}: ${where}${what}`)
    },
  }
}

/**
 * Where a text stops being JSON. Searched for, because not every message of the parser contains a
 * position.
 */
function faultOffset(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isWrongBefore(text.slice(0, middle))) bad = middle
    else good = middle
  }
  return good
}

/** Whether the text is incomplete: appending to it could make it JSON. */
function isWrongBefore(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    return position === undefined ? message.startsWith('Unexpected token') : Number(position) < text.length
  }
}

const reasonFor = ({ message }: Error) =>
  message.replace(/ in JSON at position[\s\S]*$/, '').replace(/, (\.\.\.)?"[\s\S]*$/, '')

/** The JSON pointer of a path (RFC 6901). */
export const pointerOf = (...names: readonly (string | number)[]) =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * The offset of each value of a JSON text, by its pointer. The offset of a member is that of its
 * name.
 */
function offsetsOf(text: string): Map<string, number> {
  const offsets = new Map<string, number>()
  /** The pointer of each open object or list, and the name or index of its next value. */
  const open: { pointer: string; key: string | number | undefined }[] = []
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const inside = open.at(-1)
    if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (inside) inside.key = typeof inside.key === 'number' ? inside.key + 1 : undefined
    } else if (token !== ':') {
      if (inside && inside.key === undefined) {
        inside.key = JSON.parse(token) as string
        offsets.set(inside.pointer + pointerOf(inside.key), index)
        continue
      }
      const pointer = inside ? inside.pointer + pointerOf(inside.key ?? '') : ''
      if (!offsets.has(pointer) || typeof inside?.key === 'number') offsets.set(pointer, index)
      if (token === '{') open.push({ pointer, key: undefined })
      if (token === '[') open.push({ pointer, key: 0 })
    }
  }
  return offsets
}
