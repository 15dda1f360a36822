import { hash } from 'node:crypto'
import { createClient, ErrorReply } from '@redis/client'
import type { Clock, TimeSource } from '../common/clock.ts'
import {
  type Cluster,
  ClusterUnavailable,
  type Counted,
  type Keyspace,
  MARK_KEY,
  NONCE_WINDOW_SECONDS,
  nonceIdentity,
  withinNonceWindow,
} from './cluster.ts'

/**
 * A call that Redis has not answered within this time fails. It is also the timeout of one attempt
 * to connect.
 */
const REDIS_TIMEOUT_MS = 1000

/**
 * Maximum number of calls that wait for a reply, and of calls that wait for a connection. Further
 * calls fail immediately.
 */
const REDIS_QUEUE_LIMIT = 10_000

/** The delay before an attempt to connect, doubled from the first value up to the second. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 1000

/** Minimum time between two replacements of a connection with an overdue reply. */
const REPLACEMENT_PAUSE_MS = 2000

/**
 * Keys expire this much later than necessary, because Redis uses its own clock. Nodes whose clocks
 * differ by up to this still agree.
 */
const KEY_MARGIN_MS = 60_000

/** How soon a node puts back a mark that Redis has lost. */
const KEEP_MARK_MS = 1000

/** 132 bits in base64url. */
const NONCE_HASH_LENGTH = 22

/**
 * Counts a call. The end of the window is stored with its count and compared with the caller's
 * time, so only the clocks of the nodes matter.
 */
const COUNT_SCRIPT = `
local held = redis.call('HMGET', KEYS[1], 'used', 'end')
local limit, now, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used, ends = tonumber(held[1]), tonumber(held[2])
if not ends or now >= ends then
  used, ends = 0, now + window
  redis.call('HSET', KEYS[1], 'used', 0, 'end', string.format('%.0f', ends))
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
local allowed = 0
if used < limit then
  allowed = 1
  used = redis.call('HINCRBY', KEYS[1], 'used', 1)
end
return {allowed, used, ends}
`
const COUNT_SCRIPT_SHA1 = hash('sha1', COUNT_SCRIPT)

/** Takes back a counted call, unless its window has ended. */
const UNCOUNT_SCRIPT = `
local held = redis.call('HMGET', KEYS[1], 'used', 'end')
local used, ends = tonumber(held[1]), tonumber(held[2])
if used and used > 0 and math.ceil(ends / 1000) == tonumber(ARGV[1]) then
  redis.call('HINCRBY', KEYS[1], 'used', -1)
end
return 0
`

/** Replaces a marker, unless another call was faster. Returns whether it did, and the marker. */
const MARK_SCRIPT = `
local held = redis.call('GET', KEYS[1]) or ''
if held ~= ARGV[1] then return {0, held} end
redis.call('SET', KEYS[1], ARGV[2])
return {1, ARGV[2]}
`

/**
 * For a server that does not report its run id. Only a missing marker then shows that keys were
 * lost.
 */
const UNKNOWN_RUN = 'unknown'

/** No nonces were lost: no timestamp is too old. */
const SINCE_EVER = -1

export interface RedisSharedStateOptions {
  readonly clock: Clock
  /** The clock that callers sign with. Default: `clock`. */
  readonly machineClock?: TimeSource | undefined
  /**
   * `redis://` or `rediss://` (TLS), with user, password and database when needed:
   * `redis://user:password@host:6379/0`.
   */
  readonly url: string
  /** Prefix of every key. */
  readonly keyPrefix?: string
  /** Maximum distance of a nonce's timestamp from the clock, each way. */
  readonly nonceWindowSeconds?: number
  /**
   * No request has been accepted before, so a Redis without keys has lost none. Has no effect once
   * `ready` has resolved.
   */
  readonly isNew?: boolean
  readonly timeoutMs?: number
  readonly queueLimit?: number
  /** Called for every lost connection, failed attempt to connect and loss of keys. */
  readonly onError: (error: Error) => void
}

interface RedisConnection {
  isReady(): boolean
  /** Settles once connected, or when there will be no further attempt. */
  connect(): Promise<unknown>
  send(command: string[]): Promise<unknown>
  /** The id of the Redis process. It changes with every restart and failover. */
  run(): string
  destroy(): void
}

/** Shared state for many nodes, in Redis 4 or later, or Valkey. */
export class RedisCluster implements Cluster, Keyspace {
  readonly keyspace = this
  readonly #options: RedisSharedStateOptions
  readonly #prefix: string
  readonly #windowSeconds: number
  readonly #machineClock: TimeSource
  readonly #timeoutMs: number
  readonly #queueLimit: number
  #isNew: boolean
  /** As the marker last said. */
  #nonceFloorSeconds = SINCE_EVER
  #connection: RedisConnection
  /** Calls that start once there is a connection. */
  readonly #waiting = new Set<() => void>()
  /** Functions that fail the pending calls. */
  readonly #pending = new Set<(error: ClusterUnavailable) => void>()
  #retry: NodeJS.Timeout | undefined
  #retries = 0
  #replacementPause: NodeJS.Timeout | undefined
  #keeping: NodeJS.Timeout | undefined
  #closed = false

  /** Starts connecting, with retries; until connected, calls wait and then fail. */
  constructor(options: RedisSharedStateOptions) {
    this.#options = options
    this.#prefix = options.keyPrefix ?? 'plaza:'
    this.#windowSeconds = options.nonceWindowSeconds ?? NONCE_WINDOW_SECONDS
    this.#machineClock = options.machineClock ?? options.clock
    this.#timeoutMs = options.timeoutMs ?? REDIS_TIMEOUT_MS
    this.#queueLimit = options.queueLimit ?? REDIS_QUEUE_LIMIT
    this.#isNew = options.isNew ?? false
    this.#connection = this.#connect()
  }

  get nonceFloorSeconds(): number {
    return this.#nonceFloorSeconds
  }

  async claimNonce(timestampSeconds: number, key: string): Promise<boolean> {
    if (!withinNonceWindow(timestampSeconds, this.#machineClock.now(), this.#windowSeconds)) return false
    const identity = hash('sha256', nonceIdentity(timestampSeconds, key), 'base64url')
    const redisKey = `${this.#prefix}nonce:${identity.slice(0, NONCE_HASH_LENGTH)}`
    const lifeMs = 2 * this.#windowSeconds * 1000 + KEY_MARGIN_MS
    const command = ['SET', redisKey, '1', 'NX', 'PX', String(Math.ceil(lifeMs))]
    return this.#run(async (connection) => {
      // In this order, so that if keys are lost before the nonce is set, the marker that is read
      // with it is lost too.
      const [claimed, since] = await Promise.all([connection.send(command), this.#since(connection)])
      return claimed === 'OK' && timestampSeconds > since
    })
  }

  /**
   * The second up to which nonces may have been lost. The marker names the Redis process that has
   * held the nonces since then. It is lost together with the keys, and no longer matches after a
   * restart or a failover, which may have lost the newest keys.
   */
  async #since(connection: RedisConnection): Promise<number> {
    const since = await this.#readSince(connection)
    if (since === undefined) return Number.POSITIVE_INFINITY
    this.#nonceFloorSeconds = since
    return since
  }

  async #readSince(connection: RedisConnection): Promise<number | undefined> {
    const run = connection.run()
    const marker = this.#marker
    const held = textOf(await connection.send(['GET', marker]))
    const known = floorIn(held, run)
    if (known !== undefined) return known
    const since = this.#isNew ? SINCE_EVER : Math.floor(this.#machineClock.now() / 1000)
    const next = `${run} ${since}`
    const reply = await connection.send(['EVAL', MARK_SCRIPT, '1', marker, held, next])
    const [replaced, now] = reply as [number, string]
    if (replaced === 1 && since !== SINCE_EVER) this.#options.onError(new LostKeys(since))
    return floorIn(now, run)
  }

  async startNonceWindow(): Promise<void> {
    await this.#run(async (connection) => {
      await connection.send(['DEL', this.#marker])
      await this.#since(connection)
    })
  }

  get #marker(): string {
    return `${this.#prefix}nonces-since`
  }

  async mark(): Promise<string | undefined> {
    const held = textOf(await this.#run((connection) => connection.send(['GET', this.#markKey])))
    return held === '' ? undefined : held
  }

  async putMark(mark: string): Promise<string> {
    const reply = await this.#run((connection) =>
      connection.send(['EVAL', MARK_SCRIPT, '1', this.#markKey, '', mark]),
    )
    return (reply as [number, string])[1]
  }

  keepMark(mark: string): void {
    let last = mark
    const keep = async () => {
      const now = await this.putMark(mark)
      if (now !== mark && now !== last) this.#options.onError(new OtherMark(this.#markKey))
      last = now
    }
    // Other calls report that Redis does not answer.
    this.#keeping = setInterval(() => void keep().catch(() => undefined), KEEP_MARK_MS).unref()
  }

  get #markKey(): string {
    return `${this.#prefix}${MARK_KEY}`
  }

  async uncount(bucket: string, resetSeconds: number): Promise<void> {
    const redisKey = this.#countKeyOf(bucket)
    const command = ['EVAL', UNCOUNT_SCRIPT, '1', redisKey, String(resetSeconds)]
    await this.#run((connection) => connection.send(command))
  }

  #countKeyOf(bucket: string): string {
    return `${this.#prefix}count:${bucket}`
  }

  async count(bucket: string, limit: number, windowSeconds: number): Promise<Counted> {
    const redisKey = this.#countKeyOf(bucket)
    const windowMs = windowSeconds * 1000
    const args = [limit, this.#options.clock.now(), windowMs, Math.ceil(2 * windowMs + KEY_MARGIN_MS)].map(
      String,
    )
    const reply = await this.#run(async (connection) => {
      try {
        return await connection.send(['EVALSHA', COUNT_SCRIPT_SHA1, '1', redisKey, ...args])
      } catch (error) {
        if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error
        return await connection.send(['EVAL', COUNT_SCRIPT, '1', redisKey, ...args])
      }
    })
    const [allowed, used, endMs] = reply as [number, number, number]
    return {
      allowed: allowed === 1,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.ceil(endMs / 1000),
    }
  }

  /**
   * Resolves once Redis answers, to sentences for the operator about problems with its
   * configuration. Rejects like any call when Redis does not answer in time, and when it cannot
   * hold the shared state.
   */
  async ready(): Promise<string[]> {
    const cluster = await this.#run((connection) => infoOf(connection, 'cluster'))
    if (infoIn(cluster, 'cluster_enabled') === '1')
      throw new Error('it is a Redis Cluster, and Plaza needs a single server')
    const run = await this.#run(async (connection) => {
      await this.#since(connection)
      return connection.run()
    })
    this.#isNew = false
    const memory = await this.#run((connection) => infoOf(connection, 'memory'))
    return [...evictionWarnings(memory), ...(run === UNKNOWN_RUN ? [NO_RUN_ID] : [])]
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#replacementPause)
    clearInterval(this.#keeping)
    for (const fail of [...this.#pending]) fail(new ClusterUnavailable('The shared state is closed'))
    this.#connection.destroy()
  }

  /** Runs one call. Rejects with `ClusterUnavailable` after the timeout. */
  #run<T>(call: (connection: RedisConnection) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new ClusterUnavailable('The shared state is closed'))
      if (this.#pending.size >= this.#queueLimit) {
        return reject(new ClusterUnavailable(`Redis has ${this.#queueLimit} calls to answer already`))
      }
      const settle = () => {
        clearTimeout(timer)
        this.#pending.delete(fail)
        this.#waiting.delete(begin)
      }
      const fail = (error: ClusterUnavailable) => {
        settle()
        reject(error)
      }
      const begin = () => {
        this.#waiting.delete(begin)
        call(this.#connection).then(
          (answer) => {
            settle()
            resolve(answer)
          },
          (cause) => {
            // After a failover, the old primary still answers, but accepts no writes.
            if (cause instanceof ErrorReply && cause.message.startsWith('READONLY')) this.#replace()
            fail(
              new ClusterUnavailable(`Redis failed: ${cause instanceof Error ? cause.message : cause}`, {
                cause,
              }),
            )
          },
        )
      }
      const timer = setTimeout(() => {
        // The reply may already be in the socket if this process was too busy to read it.
        setImmediate(overdue)
      }, this.#timeoutMs)
      const overdue = () => {
        if (!this.#pending.has(fail)) return
        fail(new ClusterUnavailable(`Redis did not answer within ${this.#timeoutMs} ms`))
        // Replies arrive in order, so an overdue reply blocks all others: the connection is dead or
        // stuck.
        this.#replace()
      }
      this.#pending.add(fail)
      if (this.#connection.isReady()) begin()
      else this.#waiting.add(begin)
    })
  }

  #replace(): void {
    if (this.#closed || this.#replacementPause) return
    this.#replacementPause = setTimeout(() => {
      this.#replacementPause = undefined
    }, REPLACEMENT_PAUSE_MS)
    this.#replacementPause.unref()
    this.#connection.destroy()
    this.#connection = this.#connect()
  }

  #connect(): RedisConnection {
    clearTimeout(this.#retry)
    const connection = this.#open(() => {
      if (connection !== this.#connection || this.#closed) return
      this.#retries = 0
      for (const begin of [...this.#waiting]) begin()
    })
    connection.connect().catch((error: unknown) => {
      connection.destroy()
      if (this.#closed || connection !== this.#connection) return
      this.#options.onError(error instanceof Error ? error : new Error(String(error)))
      this.#retry = setTimeout(
        () => {
          this.#connection = this.#connect()
        },
        retryDelay(this.#retries++),
      )
    })
    return connection
  }

  #open(onReady: () => void): RedisConnection {
    const onError = (error: Error) => {
      if (!this.#closed) this.#options.onError(error)
    }
    const socket = { connectTimeout: this.#timeoutMs, reconnectStrategy: retryDelay }
    const common = {
      RESP: 2,
      maintNotifications: 'disabled',
      disableClientInfo: true,
      // Calls wait here, not in the client, so that none is executed after it has failed.
      disableOfflineQueue: true,
      commandsQueueMaxLength: 2 * this.#queueLimit,
    } as const
    const client = createClient({ ...common, url: this.#options.url, socket })
    let run: string | undefined
    const forget = () => {
      run = undefined
    }
    const send = (command: string[]) => client.sendCommand(command)
    /**
     * Redis may refuse for a while, for example while it loads its data: then it is asked again.
     */
    const askRun = async (failures: number): Promise<void> => {
      run = undefined
      try {
        run = infoIn(await infoOf({ send }, 'server'), 'run_id') ?? UNKNOWN_RUN
        onReady()
      } catch (error) {
        // After a lost connection, the next one asks.
        if (!(error instanceof ErrorReply)) return
        onError(error)
        setTimeout(() => void (client.isReady && askRun(failures + 1)), retryDelay(failures)).unref()
      }
    }
    client.on('error', onError).on('error', forget).on('reconnecting', forget)
    client.on('ready', () => void askRun(0))
    return {
      isReady: () => client.isReady && run !== undefined,
      connect: () => client.connect(),
      send,
      run: () => run ?? UNKNOWN_RUN,
      destroy: () => destroyQuietly(client),
    }
  }
}

/** Redis has lost nonces: requests signed before are rejected, so that none is accepted twice. */
export class LostKeys extends Error {
  override readonly name = 'LostKeys'
  constructor(since: number) {
    const at = new Date(since * 1000).toISOString()
    super(`Redis is new, was restarted or has lost its keys: requests signed up to ${at} are rejected`)
  }
}

/** Other nodes have marked the keys since the start. */
class OtherMark extends Error {
  override readonly name = 'OtherMark'
  constructor(key: string) {
    super(
      `the key ${key} has changed: nodes of another database, or that share nothing with this one, use these keys too`,
    )
  }
}

/** A section of the reply to INFO; empty if this Redis or its user does not support the command. */
async function infoOf({ send }: Pick<RedisConnection, 'send'>, section: string): Promise<string> {
  try {
    return String(await send(['INFO', section]))
  } catch (error) {
    if (error instanceof ErrorReply && NOT_SUPPORTED.test(error.message)) return ''
    throw error
  }
}

/**
 * The codes of an unknown command and a missing permission. Other errors pass, such as those of a
 * Redis that is loading.
 */
const NOT_SUPPORTED = /^(ERR|NOPERM)\b/

/** A member of the reply to INFO. */
const infoIn = (info: string, name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]

const NO_RUN_ID =
  'Redis does not say which process it is (INFO server), so after a restart with an older snapshot it may accept old requests again: let its user run INFO.'

function evictionWarnings(memory: string): string[] {
  const policy = infoIn(memory, 'maxmemory_policy') ?? 'noeviction'
  const isBounded = (infoIn(memory, 'maxmemory') ?? '0') !== '0'
  if (!isBounded || policy === 'noeviction') return []
  return [
    `Redis may evict used nonces when its memory is full (maxmemory-policy is ${policy}), and then accepts old requests again: set maxmemory-policy to noeviction.`,
  ]
}

const textOf = (reply: unknown): string => (typeof reply === 'string' ? reply : '')

/** The second in a marker, if this Redis process wrote it. */
function floorIn(marker: string, run: string): number | undefined {
  const [markedRun, since] = marker.split(' ')
  return markedRun === run && since !== undefined ? Number(since) : undefined
}

/** Milliseconds before the next attempt to connect. */
function retryDelay(retries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS)
}

/** Destroying a client that never connected throws an error, which can be ignored. */
function destroyQuietly(client: { destroy(): void }): void {
  try {
    client.destroy()
  } catch {
    // There was no connection.
  }
}
