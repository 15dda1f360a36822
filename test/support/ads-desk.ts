import type { Plaza } from '../../src/app/server.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { createUser } from '../../src/identity/users/users.ts'
import { randomText, systemRandom } from '../../src/platform/common/random.ts'
import { Advertiser } from './advertiser.ts'
import { type Client, demoKeys, type Keys, type Reply } from './client.ts'

/** An entity or a post in a reply. */
export type Data = Record<string, unknown> & { id: string }

interface Body {
  data: unknown
  errors: Record<string, string>[]
  next_cursor: string | null
  total_count: number
  request: { params: Record<string, unknown> }
}

const bodyOf = (reply: Reply) => reply.json as Body
export const dataOf = (reply: Reply) => bodyOf(reply).data as Data
export const listOf = (reply: Reply) => bodyOf(reply).data as Data[]
export const paramsOf = (reply: Reply) => bodyOf(reply).request.params
export const cursorOf = (reply: Reply) => bodyOf(reply).next_cursor
export const totalOf = (reply: Reply) => bodyOf(reply).total_count

/** An error in short: the status, and for each error its code with the parameter or attribute. */
export const errorOf = (reply: Reply) => [
  reply.status,
  ...(bodyOf(reply).errors ?? []).map(({ code, parameter, attribute }) =>
    attribute === undefined ? `${code} ${parameter}` : `${code} of ${attribute}`,
  ),
]

export interface Person {
  id: string
  screenName: string
  keys: Required<Keys>
}

/** A new user with a token. No password matches: hashing one would take most of a test's time. */
export async function newPerson(plaza: Plaza, suspended = false): Promise<Person> {
  const { context } = plaza
  const screenName = `U_${randomText(systemRandom, 10)}`
  const id = context.ids.next()
  const { token, secret } = await context.store.write(async (tx) => {
    await createUser(tx, {
      id,
      screen_name: screenName,
      screen_name_key: screenName.toLowerCase(),
      name: 'Somebody',
      password_hash: 'none',
      suspended: Number(suspended),
      created_at: context.clock.now(),
    })
    const appId = plaza.seeded?.apps[0]?.id ?? ''
    return createAccessToken(tx, { appId, userId: id, access: 'read-write' }, context)
  })
  return { id, screenName, keys: { ...demoKeys(plaza), token, tokenSecret: secret } }
}

/** A user with an advertising account, and calls about it. */
export class Desk {
  readonly person: Person
  readonly advertiser: Advertiser
  readonly #client: Client
  readonly #base: string

  private constructor(person: Person, advertiser: Advertiser, client: Client, base: string) {
    this.person = person
    this.advertiser = advertiser
    this.#client = client
    this.#base = base
  }

  static async open(
    plaza: Plaza,
    client: Client,
    { environment = 'production', person }: { environment?: 'production' | 'sandbox'; person?: Person } = {},
  ): Promise<Desk> {
    const owner = person ?? (await newPerson(plaza))
    const advertiser = await Advertiser.open(plaza.context, owner.id, environment)
    const origin = environment === 'sandbox' ? plaza.urls.adsSandbox : plaza.urls.ads
    return new Desk(owner, advertiser, client, `${origin}/12/accounts/${advertiser.account.id}`)
  }

  get accountId(): string {
    return this.advertiser.account.id
  }

  /** A call about the account, by its owner by default. */
  send(method: string, path: string, form?: Record<string, string>, keys = this.person.keys): Promise<Reply> {
    return this.#client.signed(method, this.#base + path, keys, form ? { form } : {})
  }

  /** A call with a JSON body. */
  json(method: string, path: string, body: unknown): Promise<Reply> {
    return this.#client.signed(method, this.#base + path, this.person.keys, { json: body })
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, form: Record<string, string>, keys?: Required<Keys>) =>
    this.send('POST', path, form, keys)
  put = (path: string, form: Record<string, string>) => this.send('PUT', path, form)
  delete = (path: string) => this.send('DELETE', path)
}
