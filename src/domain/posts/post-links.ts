/** The path of a post: `/demo/status/1900000000000000001`. */
const POST_PATH = /^\/([A-Za-z0-9_]{1,15})\/status\/([0-9]{1,19})\/?$/

/**
 * The post that a URL names, with the screen name of its author in lower case. Plaza has no pages
 * of posts, so the host does not matter.
 */
export function postInLink(address: string): { id: string; name: string } | undefined {
  if (!URL.canParse(address)) return undefined
  const [, name = '', id] = POST_PATH.exec(new URL(address).pathname) ?? []
  return id === undefined ? undefined : { id, name: name.toLowerCase() }
}
