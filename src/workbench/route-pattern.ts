/** A method or `*`, and a path in which `*` stands for any text; or the path alone. */
export const ROUTE_PATTERN = '^((GET|POST|PUT|DELETE|\\*) )?/[^\\s]{0,499}$'

/**
 * Whether an endpoint, such as `GET /2/posts/{id}`, matches a pattern: `GET /2/posts/{id}`,
 * `/2/posts` with any method. An asterisk in the path stands for any text.
 */
export function routeMatcher(pattern: string): (route: string) => boolean {
  const [first = '', second] = pattern.split(' ')
  const [method, path] = second === undefined ? ['*', first] : [first, second]
  const pieces = path.split('*')
  return (route) => {
    const space = route.indexOf(' ')
    return (method === '*' || route.slice(0, space) === method) && hasPieces(route.slice(space + 1), pieces)
  }
}

/** Whether a text begins with the first piece, ends with the last, and has the others between. */
function hasPieces(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  if (!text.startsWith(first)) return false
  const last = others.pop()
  if (last === undefined) return text === first
  let at = first.length
  for (const piece of others) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
