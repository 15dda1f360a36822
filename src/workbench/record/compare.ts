/** One exchange of a recording: a request, and the reply of the real service. */
export interface RecordedExchange {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly status: number
  /** The text of the reply. */
  readonly reply: string
}

/** A recording cannot be read. The message says where. */
class RecordingProblem extends Error {
  override readonly name = 'RecordingProblem'
}

interface HarMessage {
  headers?: { name?: unknown; value?: unknown }[]
}
interface HarEntry {
  request?: HarMessage & { method?: unknown; url?: unknown; postData?: { text?: unknown } }
  response?: HarMessage & { status?: unknown; content?: { text?: unknown } }
}

/**
 * The exchanges of an HTTP Archive (HAR 1.2), in their order.
 * @throws RecordingProblem
 */
export function readHar(text: string): RecordedExchange[] {
  let parsed: { log?: { entries?: unknown } }
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new RecordingProblem(`The archive is not valid JSON: ${(error as Error).message}`)
  }
  const entries = parsed?.log?.entries
  if (!Array.isArray(entries)) throw new RecordingProblem('The archive has no list `log.entries`.')
  return entries.map((entry: HarEntry, index) => {
    const { request, response } = entry ?? {}
    const { method, url } = request ?? {}
    const status = response?.status
    const at = `log.entries[${index}]`
    if (typeof method !== 'string') throw new RecordingProblem(`\`${at}.request.method\` is no text.`)
    if (typeof url !== 'string' || !URL.canParse(url))
      throw new RecordingProblem(`\`${at}.request.url\` is no absolute URL.`)
    if (typeof status !== 'number') throw new RecordingProblem(`\`${at}.response.status\` is no number.`)
    const body = request?.postData?.text
    const reply = response?.content?.text
    return {
      method,
      url,
      headers: (request?.headers ?? []).flatMap(({ name, value }): [string, string][] =>
        typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [],
      ),
      body: typeof body === 'string' ? body : undefined,
      status,
      reply: typeof reply === 'string' ? reply : '',
    }
  })
}

/** How two replies to the same request differ. Each is a sentence. */
export function differences(
  recorded: { status: number; reply: string },
  received: { status: number; reply: string },
): string[] {
  if (recorded.status !== received.status)
    return [`The status is ${received.status} instead of ${recorded.status}.`]
  const [expected, actual] = [parsed(recorded.reply), parsed(received.reply)]
  if (expected === undefined && actual === undefined) return []
  if (expected === undefined || actual === undefined)
    return [actual === undefined ? 'The reply is not JSON.' : 'The reply is JSON.']
  const known = shapeOf(expected)
  const found = shapeOf(actual)
  const sentences: string[] = []
  for (const [path, types] of known) {
    const others = found.get(path)
    if (others === undefined) {
      // Members of an object that is absent itself are not reported again.
      if (found.has(parentOf(path)) || path === '$') sentences.push(`\`${path}\` is missing.`)
    } else if (![...others].some((type) => types.has(type)))
      sentences.push(`\`${path}\` is ${list(others)} instead of ${list(types)}.`)
  }
  for (const path of found.keys())
    if (!known.has(path) && known.has(parentOf(path))) sentences.push(`\`${path}\` is additional.`)
  return sentences
}

const list = (types: ReadonlySet<string>) => [...types].join(' or ')

/** Parents of elements of lists are the lists. */
const parentOf = (path: string) => path.replace(/(\.[^.[\]]+|\[\])$/, '')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_PATHS = 10_000

/** The types at each path. Elements of a list have one path, because their number may differ. */
function shapeOf(value: unknown): Map<string, Set<string>> {
  const shape = new Map<string, Set<string>>()
  // Without recursion: a reply may be nested deeply.
  const rest: [path: string, value: unknown][] = [['$', value]]
  for (let next = rest.pop(); next && shape.size < MAX_PATHS; next = rest.pop()) {
    const [path, one] = next
    const types = shape.get(path) ?? new Set()
    shape.set(path, types.add(typeOf(one)))
    if (Array.isArray(one)) for (const element of one) rest.push([`${path}[]`, element])
    else if (one !== null && typeof one === 'object')
      for (const [name, member] of Object.entries(one)) rest.push([`${path}.${name}`, member])
  }
  return shape
}

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`
