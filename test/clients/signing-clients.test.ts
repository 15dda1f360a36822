import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Plaza } from '../../src/app/server.ts'
import { systemClock } from '../../src/platform/common/clock.ts'
import { demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'

const script = (name: string) => fileURLToPath(new URL(`signing-client.${name}`, import.meta.url))
/** As if the clients had it built in. */
const SITE = 'https://api.example.com'
/** Where Debian's packages of Go are. */
const GO_PATH = '/usr/share/gocode'

interface OtherClient {
  library: string
  packages: string
  command: [program: string, ...args: string[]]
  isThere(): boolean
  /** Otherwise it calls the address of the listener. */
  takesProxy: boolean
}

const runs = (program: string, ...args: string[]) => {
  try {
    return execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8' })
  } catch {
    return undefined
  }
}

const CLIENTS: OtherClient[] = [
  {
    library: 'the gem oauth of Ruby',
    packages: 'ruby-oauth',
    command: ['ruby', script('rb')],
    isThere: () => runs('ruby', '-e', 'require "oauth"') !== undefined,
    takesProxy: true,
  },
  {
    library: 'the extension oauth of PHP',
    packages: 'php-cli php-oauth',
    command: ['php', script('php')],
    isThere: () => runs('php', '-r', 'exit(class_exists("OAuth") ? 0 : 1);') !== undefined,
    // Debian's is built without curl.
    takesProxy: false,
  },
  {
    library: 'the package oauth of Go',
    packages: 'golang-go golang-github-mrjones-oauth-dev',
    command: ['go', 'run', script('go')],
    isThere: () =>
      existsSync(join(GO_PATH, 'src/github.com/mrjones/oauth')) && runs('go', 'version') !== undefined,
    takesProxy: true,
  },
]

describe('clients of other languages, unmodified, sign their calls', () => {
  let folder: string
  let plaza: Plaza
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plaza-clients-'))
    plaza = await startPlaza({ coreUrl: SITE }, { clock: systemClock, backgroundTasks: true })
    await writeFile(join(folder, 'ca.pem'), String(plaza.caPem))
  })
  after(async () => {
    await plaza?.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const { library, packages, command, isThere, takesProxy } of CLIENTS) {
    const skip = !isThere() && `${library} is not installed: apt-get install ${packages}`
    test(library, { skip, timeout: 120_000 }, async () => {
      const { consumerKey, consumerSecret, token, tokenSecret } = demoKeys(plaza)
      const [program, ...args] = command
      const { stdout } = await promisify(execFile)(program, args, {
        timeout: 110_000,
        env: {
          PATH: process.env.PATH,
          GOPATH: GO_PATH,
          GO111MODULE: 'off',
          GOCACHE: join(folder, 'go'),
          SITE: takesProxy ? SITE : `https://127.0.0.1:${plaza.listening.core}`,
          // The variables that the guide names.
          HTTPS_PROXY: plaza.urls.console,
          https_proxy: plaza.urls.console,
          http_proxy: plaza.urls.console,
          CA_FILE: join(folder, 'ca.pem'),
          // For libraries that use OpenSSL without a setting.
          SSL_CERT_FILE: join(folder, 'ca.pem'),
          KEYS: JSON.stringify({
            consumer_key: consumerKey,
            consumer_secret: consumerSecret,
            access_token: token,
            access_token_secret: tokenSecret,
          }),
        },
      })
      assert.deepEqual(JSON.parse(stdout), {
        me: 'demo',
        text: 'Über die Brücke & zurück, 100 %',
        verified: 'demo',
        found: '200',
        deleted: true,
        wrong: '401',
        authorize: true,
      })
    })
  }
})
