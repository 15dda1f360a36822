import type { Plaza } from '../../src/app/server.ts'
import type { Permission } from '../../src/identity/apps/app.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import { type Client, demoKeys, type Keys, type Reply } from './client.ts'

/** A user with a token of the demo app. */
export class Person {
  readonly id: string
  readonly screenName: string
  readonly keys: Keys
  readonly #client: Client
  readonly #plaza: Plaza

  private constructor(
    { id, screenName }: { id: string; screenName: string },
    keys: Keys,
    client: Client,
    plaza: Plaza,
  ) {
    this.id = id
    this.screenName = screenName
    this.keys = keys
    this.#client = client
    this.#plaza = plaza
  }

  /**
   * A new user; hashing a password would take longer than a test, so no one can sign in as them.
   */
  static async join(
    plaza: Plaza,
    client: Client,
    access: Permission = 'read-write-directmessages',
  ): Promise<Person> {
    const { store, ids, clock } = plaza.context
    const screenName = `p${randomText(systemRandom, 12).toLowerCase()}`
    const id = ids.next()
    const { consumerKey, consumerSecret } = demoKeys(plaza)
    const appId = plaza.seeded?.apps[0]?.id ?? ''
    const { token, secret } = await store.write(async (tx) => {
      await createUser(tx, {
        id,
        screen_name: screenName,
        screen_name_key: screenName,
        name: 'Person',
        password_hash: 'none',
        suspended: 0,
        created_at: clock.now(),
      })
      return createAccessToken(tx, { appId, userId: id, access }, plaza.context)
    })
    return new Person(
      { id, screenName },
      { consumerKey, consumerSecret, token, tokenSecret: secret },
      client,
      plaza,
    )
  }

  /** A call of the core API. */
  core(method: string, path: string, json?: unknown): Promise<Reply> {
    return this.#client.signed(method, path, this.keys, json === undefined ? {} : { json })
  }

  /** A call of production. `path` follows the version. */
  call(method: string, path: string, form?: Record<string, string>): Promise<Reply> {
    return this.#send(`${this.#plaza.urls.ads}/12${path}`, method, form)
  }

  /** A call of the sandbox. */
  try(method: string, path: string, form?: Record<string, string>): Promise<Reply> {
    return this.#send(`${this.#plaza.urls.adsSandbox}/12${path}`, method, form)
  }

  #send(url: string, method: string, form?: Record<string, string>): Promise<Reply> {
    return this.#client.signed(method, url, this.keys, form ? { form } : {})
  }
}
