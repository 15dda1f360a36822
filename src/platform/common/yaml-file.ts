import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { type JsonFile, readText } from './json-file.ts'

/** More references to one anchor than this are rejected: they could expand without bound. */
const MAX_ALIASES = 100

/**
 * Reads a YAML file: version 1.2, without tags of its own. Its values are those that JSON can
 * express. Throws an error with the file and, if it is not YAML, the line and column.
 */
export const readYamlFile = (file: string): JsonFile => parseYamlFile(readText(file), file)

/** Parses the text of a YAML file. Errors call it `file`. */
export function parseYamlFile(text: string, file: string): JsonFile {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    ...{ lineCounter, prettyErrors: false, intAsBigInt: true, logLevel: 'error' },
    ...{ schema: 'core', version: '1.2', uniqueKeys: true, stringKeys: true },
  })
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  const [fault] = document.errors
  if (fault) throw new Error(`${at(fault.pos[0])}: this is not YAML: ${fault.message}`)
  const [doubt] = document.warnings
  if (doubt) throw new Error(`${at(doubt.pos[0])}: ${doubt.message}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES, reviver: (_, one) => plainNumber(one) })
  } catch (error) {
    throw new Error(`${file}: this YAML cannot be read: ${(error as Error).message}`)
  }
  return {
    value,
    error(pointer, what) {
      const where = pointer === '' ? '' : `at ${pointer}: `
      return new Error(`${at(offsetOf(document.contents, pointer))}: ${where}${what}`)
    },
  }
}

/** Numbers as `exactJson` has them: a bigint only where a number would not be exact. */
const plainNumber = (value: unknown) =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value

/** The offset of the value at a JSON pointer; that of a member is that of its name. */
function offsetOf(root: Node | null, pointer: string): number {
  let node: unknown = root
  let offset = root?.range?.[0] ?? 0
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isMap(node)) {
      const pair = node.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === name,
      )
      if (!pair) return offset
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(name)]
      if (!isNode(node)) return offset
      offset = node.range?.[0] ?? offset
    } else return offset
  }
  return offset
}
