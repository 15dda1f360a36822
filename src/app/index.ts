import { adminToken } from '../api/admin/access.ts'
import { type GivenSettings, readSettings } from '../platform/config/config.ts'
import type { FaultKind, FaultSettings } from '../workbench/faults/settings.ts'
import { adminCall, type Given } from './admin-call.ts'
import type { AdminTarget } from './admin-target.ts'
import type { JournalEntry as AdminEntry } from './admin-types.ts'
import { ClientEnv, type EnvOptions, type PlazaEnv } from './client-env.ts'
import { createOf, type EmitOptions, emitOf, type PlazaCreate } from './create.ts'
import type { Seed } from './seed-types.ts'
import { startServer } from './server.ts'
import type { StartedApp, StartedUser } from './started.ts'

export type { GivenSettings } from '../platform/config/config.ts'
export { ConfigError } from '../platform/config/config.ts'
export type { FaultKind, FaultSettings } from '../workbench/faults/settings.ts'
export type { EnvOptions, PlazaEnv } from './client-env.ts'
export type * from './create.ts'
export type * from './seed-types.ts'
export type { StartedApp, StartedUser, StartedUserToken } from './started.ts'

/**
 * The settings of `plaza start` in camel case: `--core-port 8443` is `{ corePort: 8443 }`. By
 * default, the system chooses free ports, nothing is stored on disk and nothing is logged.
 */
export interface StartOptions extends Omit<GivenSettings, 'readyFile' | 'seed'> {
  /** `none`, `demo`, the name of a file, or the content of a seed. */
  readonly seed?: string | Seed
}

/** An advertising account. */
export interface StartedAccount {
  readonly id: string
  readonly environment: 'production' | 'sandbox'
  readonly name: string
  /** Screen name of the user whose posts it promotes. */
  readonly owner: string
  readonly fundingInstrumentIds: readonly string[]
}

/** The clock of a Plaza. Each method resolves to the time that the clock then shows. */
export interface PlazaClock {
  now(): Promise<Date>
  /** Rejects for an earlier time than the clock shows: it never goes back. */
  set(time: Date): Promise<Date>
  /**
   * Moves the clock forward: `2h`, `1d12h`. Resolves when everything that became due is done.
   * Rejects if that takes longer than `timeoutSeconds` of real time, by default 30.
   */
  advance(by: string, options?: { timeoutSeconds?: number }): Promise<Date>
  freeze(): Promise<Date>
  resume(): Promise<Date>
}

/** Which entries of the journal are meant. An entry must satisfy every condition. */
export interface JournalConditions {
  readonly kind?: 'request' | 'outgoing' | 'stream'
  readonly host?: 'core' | 'ads' | 'sandbox'
  /** `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET /2/users/*`. */
  readonly route?: string
  /** `404`, or `4xx` for a class. */
  readonly status?: number | string
  readonly app_id?: string
  readonly user_id?: string
  /** In the URL, headers, bodies or error; the case does not matter. */
  readonly text?: string
  /** Entries after this sequence number. */
  readonly after?: number
  readonly before?: number
}

/** An entry of the journal, as lists have it. */
export interface JournalSummary {
  /** The `x-transaction-id` header of the reply. */
  readonly id: string
  readonly sequence: number
  readonly kind: 'request' | 'outgoing' | 'stream'
  readonly time: string
  readonly host?: string
  /** Empty if the request matches no endpoint. */
  readonly route: string
  readonly method: string
  readonly url: string
  readonly caller?: { readonly kind: string; readonly app_id?: string; readonly user_id?: string }
  readonly status?: number
  readonly failure?: string
  readonly duration_ms: number
  readonly error?: { readonly cause: string; readonly detail: string }
  readonly stream?: { readonly lines: number; readonly open: boolean; readonly ended_after_ms?: number }
}

/** A request or a reply, with secrets masked. */
export interface JournalMessage {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  readonly body_bytes?: number
  readonly body_omitted?: string
}

/** An entry of the journal. */
export interface JournalEntry extends JournalSummary {
  readonly request: JournalMessage
  readonly response: JournalMessage
  /** Why it was answered like this, in sentences. */
  readonly explanation: readonly string[]
  readonly signature?: {
    readonly matches: boolean
    readonly expected_base_string: string
    readonly client_base_string?: string
    readonly mistakes: readonly string[]
    readonly first_difference?: number
  }
}

/** The last requests, outgoing calls and streams. */
export interface PlazaJournal {
  /** The newest first, up to 1,000. */
  list(conditions?: JournalConditions): Promise<JournalSummary[]>
  /** Rejects for an id that the journal does not have. */
  get(id: string): Promise<JournalEntry>
  /**
   * Resolves to the oldest entry that satisfies the conditions, as soon as there is one. Rejects
   * if there is none within `timeoutSeconds`, by default 10.
   */
  waitFor(conditions: JournalConditions, options?: { timeoutSeconds?: number }): Promise<JournalEntry>
  /** The sequence number of the newest entry: pass it as `after` to wait for later ones. */
  position(): Promise<number>
  clear(): Promise<void>
}

/** A fault rule: which requests or deliveries fail, and how. */
export interface FaultOptions extends Omit<FaultSettings, 'kind'> {
  /** Default: `error`, which needs `status` or `cause`. */
  readonly kind?: FaultKind
  /** The place in the order, from 1. Default: the last one. */
  readonly position?: number
}

/** A fault rule that is in force. */
export interface Fault extends FaultOptions {
  readonly id: string
  readonly kind: FaultKind
  readonly position: number
  /** Requests or deliveries that its conditions matched. */
  readonly matches: number
  /** Those of them that it failed. */
  readonly hits: number
}

/** Rules that make requests, streams and deliveries fail. The first one that applies counts. */
export interface PlazaFaults {
  /** Rejects for an error that the endpoint does not document, with a list of those it does. */
  add(options: FaultOptions): Promise<Fault>
  /** In their order. */
  list(): Promise<Fault[]>
  /** Rejects for an unknown id. */
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

/** A Plaza that runs in this process. */
export interface RunningPlaza {
  /** Origins, without a trailing slash: `https://127.0.0.1:43211`. */
  readonly urls: {
    readonly core: string
    readonly ads: string
    readonly adsSandbox: string
    readonly console: string
  }
  /** The ports that they listen on, whatever their public origins are. */
  readonly ports: {
    readonly core: number
    readonly ads: number
    readonly adsSandbox: number
    readonly console: number
  }
  /**
   * The local certificate authority that clients must trust, as PEM; undefined when Plaza does not
   * issue its certificate.
   */
  readonly ca: string | undefined
  /** What the seed created, in its order; empty with `seed: 'none'`. */
  readonly apps: readonly StartedApp[]
  readonly users: readonly StartedUser[]
  readonly accounts: readonly StartedAccount[]
  /** The clock that users see. Adjustments apply to everything that depends on time. */
  readonly clock: PlazaClock
  /** What was received and answered, to look at and to assert on. */
  readonly journal: PlazaJournal
  /** Makes requests, streams and deliveries fail. */
  readonly faults: PlazaFaults
  /** Makes users, apps, tokens, posts and everything else that a test needs. */
  readonly create: PlazaCreate
  /**
   * Sends an activity to everyone who subscribed to it, as if it had happened. Resolves to the
   * payload that they receive.
   */
  emit(eventType: string, options?: EmitOptions): Promise<Record<string, unknown>>
  /**
   * Environment variables for clients: addresses, the keys of an app and a user of the seed, and a
   * file with the certificate authority, which exists until `close`.
   */
  env(options?: EnvOptions): Promise<PlazaEnv>
  /**
   * Saves all data as it is now. Resolves to the name for `restore`; without one, it is `snapshot-`
   * and a number. Rejects for a name that is used already, and on PostgreSQL.
   */
  snapshot(name?: string): Promise<string>
  /**
   * Replaces all data by that of a snapshot. Streams end; ports, certificates and this object stay.
   */
  restore(name: string): Promise<void>
  /** Replaces all data by what the seed wrote, with the same `apps`, `users` and `accounts`. */
  reset(): Promise<void>
  /**
   * Stops listening, lets requests in progress finish for up to `shutdownSeconds`, and releases
   * everything.
   */
  close(): Promise<void>
}

/**
 * Starts a Plaza in this process. Several may run at once. Resolves once everything that was stored
 * before can be searched. Rejects with ConfigError for an invalid setting. A start that fails
 * leaves nothing open.
 */
export async function startPlaza(options: StartOptions = {}): Promise<RunningPlaza> {
  const isKept = options.data !== undefined || options.databaseUrl !== undefined
  const config = readSettings({
    memory: !isKept,
    corePort: 0,
    adsPort: 0,
    adsSandboxPort: 0,
    consolePort: 0,
    logLevel: 'silent',
    ...options,
  })
  const plaza = await startServer(config)
  await plaza.caughtUp
  const { apps = [], users = [], accounts = [] } = plaza.seeded ?? {}
  const { core, ads, sandbox: adsSandbox, console } = plaza.listening
  const admin = {
    consoleUrl: plaza.urls.console,
    // The token ends when the master key is rotated.
    get token() {
      return adminToken(plaza.context.sealer)
    },
  }
  const started = {
    apps: apps.map(({ id, name, consumerKey, consumerSecret, clientId, clientSecret, userTokens = [] }) => ({
      ...{ id, name, consumerKey, consumerSecret, clientId, clientSecret },
      userTokens: userTokens.map(({ userId, screenName, scopes, accessToken, refreshToken, expiresAt }) => ({
        ...{ userId, screenName, scopes, accessToken, refreshToken, expiresAt: new Date(expiresAt) },
      })),
    })),
    users: users.map(({ id, screenName, name, password }) => ({
      ...{ id, screenName, name, password },
      tokens: apps.flatMap((app) =>
        app.grants
          .filter(({ userId }) => userId === id)
          .map(({ token, secret }) => ({ appId: app.id, token, secret })),
      ),
    })),
  }
  const clientEnv = new ClientEnv({ ...started, admin, urls: plaza.urls, caPem: plaza.caPem })
  return {
    urls: plaza.urls,
    ports: { core, ads, adsSandbox, console },
    ca: plaza.caPem,
    ...started,
    accounts,
    clock: clockOf(admin),
    journal: journalOf(admin),
    faults: faultsOf(admin),
    ...snapshotsOf(admin),
    create: createOf(admin),
    emit: emitOf(admin),
    env: (chosen) => clientEnv.variables(chosen),
    async close() {
      clientEnv.remove()
      await plaza.close()
    },
  }
}

/** The admin API's clock as an object. */
function clockOf(target: AdminTarget): PlazaClock {
  const shown = ({ now }: { now: string }) => new Date(now)
  const change = async (body: Given<'PUT /clock'>['body']) =>
    shown((await adminCall(target, 'PUT /clock', { body })).data)
  return {
    now: async () => shown((await adminCall(target, 'GET /clock')).data),
    set: (time) => change({ now: time.toISOString() }),
    freeze: () => change({ frozen: true }),
    resume: () => change({ frozen: false }),
    async advance(by, { timeoutSeconds } = {}) {
      const timeout = timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }
      const { data } = await adminCall(target, 'POST /clock/advance', { body: { by, ...timeout } })
      if (data.settled !== true)
        throw new Error(`The clock shows ${data.now}, but not everything that became due is done yet.`)
      return shown(data)
    },
  }
}

/** The admin API's snapshots as functions. */
function snapshotsOf(target: AdminTarget): Pick<RunningPlaza, 'snapshot' | 'restore' | 'reset'> {
  return {
    snapshot: async (name) =>
      (await adminCall(target, 'POST /snapshots', { body: name === undefined ? {} : { name } })).data.name,
    async restore(name) {
      await adminCall(target, 'POST /snapshots/{name}/restore', { path: { name } })
    },
    async reset() {
      await adminCall(target, 'POST /reset')
    },
  }
}

const MAX_LISTED = 1_000

/** The admin API's journal as an object. */
function journalOf(target: AdminTarget): PlazaJournal {
  const asText = ({ status, ...conditions }: JournalConditions) => ({
    ...conditions,
    ...(status !== undefined && { status: String(status) }),
  })
  return {
    async list(conditions = {}) {
      const query = { limit: MAX_LISTED, ...asText(conditions) }
      return (await adminCall(target, 'GET /journal', { query })).data
    },
    get: async (id) => entryOf((await adminCall(target, 'GET /journal/{id}', { path: { id } })).data),
    async waitFor(conditions, { timeoutSeconds } = {}) {
      const timeout = timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }
      const body = { ...asText(conditions), ...timeout }
      const { data, meta } = await adminCall(target, 'POST /journal/wait', { body })
      if (data && meta.found) return entryOf(data)
      const { status, ...rest } = conditions
      throw new Error(`The journal has no entry with ${JSON.stringify({ status, ...rest })} in time.`)
    },
    position: async () =>
      (await adminCall(target, 'GET /journal', { query: { limit: 1 } })).meta.last_sequence,
    async clear() {
      await adminCall(target, 'DELETE /journal')
    },
  }
}

/** Headers are pairs, which the document of the admin API cannot say. */
const messageOf = ({ headers, ...message }: AdminEntry['request']): JournalMessage => ({
  ...message,
  headers: headers.map(([name = '', value = '']) => [name, value] as const),
})

const entryOf = (entry: AdminEntry): JournalEntry => ({
  ...entry,
  request: messageOf(entry.request),
  response: messageOf(entry.response),
})

/** The fault rules of the admin API as an object. */
const faultsOf = (target: AdminTarget): PlazaFaults => ({
  add: async ({ kind = 'error', ...options }) =>
    (await adminCall(target, 'POST /faults', { body: { kind, ...options } })).data,
  list: async () => (await adminCall(target, 'GET /faults')).data,
  async remove(id) {
    await adminCall(target, 'DELETE /faults/{id}', { path: { id } })
  },
  async clear() {
    await adminCall(target, 'DELETE /faults')
  },
})
