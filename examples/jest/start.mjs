// Starts one Plaza for all test files, in the process of Jest, and tells the tests where it is.
import { startPlaza } from 'plaza'

export default async function start() {
  const plaza = await startPlaza()
  globalThis.plaza = plaza
  const [{ consumerKey, consumerSecret }] = plaza.apps
  const { token, secret: tokenSecret } = plaza.users[0].tokens[0]
  const keys = { consumerKey, consumerSecret, token, tokenSecret }
  process.env.PLAZA_FOR_TESTS = JSON.stringify({ urls: plaza.urls, ca: plaza.ca, keys })
}
