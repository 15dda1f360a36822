import { hash } from 'node:crypto'
import { createClient, createCluster, ErrorReply, RedisClient } from '@redis/client'
import type { Clock } from '../kit/clock.ts'
import {
  type Cluster,
  ClusterUnavailable,
  type Counted,
  NONCE_WINDOW_SECONDS,
  nonceIdentity,
  withinNonceWindow,
} from './cluster.ts'

/** A call that Redis has not answered within this time fails. Also how long one attempt to connect may take. */
const REDIS_TIMEOUT_MS = 1000

/** Calls waiting for an answer, and calls waiting for a connection. Further ones fail at once. */
const REDIS_QUEUE_LIMIT = 10_000

/** Before each attempt to connect: doubled from the first to the second. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 1000

/** A connection on which an answer is overdue is given up, but not more often than this. */
const REPLACEMENT_PAUSE_MS = 2000

/**
 * Keys outlive what they stand for, since Redis measures by its own clock and only to get rid of them: nodes
 * whose clocks differ by as much still agree.
 */
const KEY_MARGIN_MS = 60_000

/** 132 bits in base64url. */
const NONCE_HASH_LENGTH = 22

/**
 * Counts a call. The window's end is kept with its count and compared with the caller's time, so the clocks
 * that matter are the nodes'.
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

export interface RedisSharedStateOptions {
  readonly clock: Clock
  /**
   * `redis://` or `rediss://` (TLS), with user, password and database when needed:
   * `redis://user:password@host:6379/0`. Several addresses are nodes of one Redis Cluster.
   */
  readonly url: string | readonly string[]
  /** Whether the server is a Redis Cluster. Assumed when there are several addresses. */
  readonly redisCluster?: boolean
  /** Stands before every key. */
  readonly keyPrefix?: string
  /** How far a nonce's timestamp may be from the clock, each way. */
  readonly nonceWindowSeconds?: number
  readonly timeoutMs?: number
  readonly queueLimit?: number
  /** Told of every lost connection and failed attempt to connect. */
  readonly onError: (error: Error) => void
}

/** One connection, or one per node of a Redis Cluster. */
interface Connection {
  isReady(): boolean
  /** Settles only when connected, or when no further attempt will be made. */
  connect(): Promise<unknown>
  send(key: string, command: string[]): Promise<unknown>
  destroy(): void
}

/** Shared state for many nodes, in Redis 4 or later, Valkey, or a Redis Cluster. */
export class RedisCluster implements Cluster {
  readonly #options: RedisSharedStateOptions
  readonly #urls: readonly string[]
  readonly #prefix: string
  readonly #windowSeconds: number
  readonly #timeoutMs: number
  readonly #queueLimit: number
  #connection: Connection
  /** Calls that begin once there is a connection. */
  readonly #waiting = new Set<() => void>()
  /** How the calls under way are failed. */
  readonly #underWay = new Set<(error: ClusterUnavailable) => void>()
  #retry: NodeJS.Timeout | undefined
  #retries = 0
  #replacementPause: NodeJS.Timeout | undefined
  #closed = false

  /** Begins to connect and keeps trying; until it has succeeded, calls wait and then fail. */
  constructor(options: RedisSharedStateOptions) {
    this.#options = options
    this.#urls = typeof options.url === 'string' ? [options.url] : options.url
    if (this.#urls.length === 0) throw new TypeError('At least one Redis address is needed')
    this.#prefix = options.keyPrefix ?? 'plaza:'
    this.#windowSeconds = options.nonceWindowSeconds ?? NONCE_WINDOW_SECONDS
    this.#timeoutMs = options.timeoutMs ?? REDIS_TIMEOUT_MS
    this.#queueLimit = options.queueLimit ?? REDIS_QUEUE_LIMIT
    this.#connection = this.#connect()
  }

  async claimNonce(timestampSeconds: number, key: string): Promise<boolean> {
    if (!withinNonceWindow(timestampSeconds, this.#options.clock.now(), this.#windowSeconds)) return false
    const identity = hash('sha256', nonceIdentity(timestampSeconds, key), 'base64url')
    const redisKey = `${this.#prefix}nonce:${identity.slice(0, NONCE_HASH_LENGTH)}`
    const lifeMs = 2 * this.#windowSeconds * 1000 + KEY_MARGIN_MS
    const command = ['SET', redisKey, '1', 'NX', 'PX', String(Math.ceil(lifeMs))]
    return (await this.#run((connection) => connection.send(redisKey, command))) === 'OK'
  }

  async count(bucket: string, limit: number, windowSeconds: number): Promise<Counted> {
    const redisKey = `${this.#prefix}count:${bucket}`
    const windowMs = windowSeconds * 1000
    const args = [limit, this.#options.clock.now(), windowMs, Math.ceil(2 * windowMs + KEY_MARGIN_MS)].map(
      String,
    )
    const reply = await this.#run(async (connection) => {
      try {
        return await connection.send(redisKey, ['EVALSHA', COUNT_SCRIPT_SHA1, '1', redisKey, ...args])
      } catch (error) {
        if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error
        return await connection.send(redisKey, ['EVAL', COUNT_SCRIPT, '1', redisKey, ...args])
      }
    })
    const [allowed, used, endMs] = reply as [number, number, number]
    return {
      allowed: allowed === 1,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.ceil(endMs / 1000),
    }
  }

  /** Resolves once Redis answers. Rejects like any call when it does not answer in time. */
  async ready(): Promise<void> {
    const key = `${this.#prefix}ready`
    await this.#run((connection) => connection.send(key, ['EXISTS', key]))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    clearTimeout(this.#replacementPause)
    for (const fail of [...this.#underWay]) fail(new ClusterUnavailable('The shared state is closed'))
    this.#connection.destroy()
  }

  /** Runs one call to its answer, or to a `ClusterUnavailable` within the time-out. */
  #run<T>(call: (connection: Connection) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new ClusterUnavailable('The shared state is closed'))
      if (this.#underWay.size >= this.#queueLimit) {
        return reject(new ClusterUnavailable(`Redis has ${this.#queueLimit} calls to answer already`))
      }
      const settle = () => {
        clearTimeout(timer)
        this.#underWay.delete(fail)
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
            // After a failover the old primary still answers, but takes no writes.
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
        fail(new ClusterUnavailable(`Redis did not answer within ${this.#timeoutMs} ms`))
        // Answers come in order, so one that is overdue holds up all others: the connection is dead or stuck.
        this.#replace()
      }, this.#timeoutMs)
      this.#underWay.add(fail)
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

  #connect(): Connection {
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

  #open(onReady: () => void): Connection {
    const onError = (error: Error) => {
      if (!this.#closed) this.#options.onError(error)
    }
    const socket = { connectTimeout: this.#timeoutMs, reconnectStrategy: retryDelay }
    const common = {
      RESP: 2,
      maintNotifications: 'disabled',
      disableClientInfo: true,
      // Calls wait here, not in the client, so that none of them is carried out after it has failed.
      disableOfflineQueue: true,
      commandsQueueMaxLength: 2 * this.#queueLimit,
    } as const
    if (this.#options.redisCluster ?? this.#urls.length > 1) {
      const { RESP, ...perNode } = common
      const { username, password, socket: address } = RedisClient.parseURL(this.#urls[0] as string)
      const cluster = createCluster({
        RESP,
        rootNodes: this.#urls.map((url) => ({ url, socket: { ...socket, reconnectStrategy: false } })),
        defaults: {
          ...perNode,
          ...(username === undefined ? {} : { username }),
          ...(password === undefined ? {} : { password }),
          socket: address.tls ? { ...socket, tls: true } : socket,
        },
      })
      cluster.on('error', onError).on('node-error', onError)
      return {
        isReady: () => cluster.isReady,
        connect: () => cluster.connect().then(onReady),
        send: (key, command) => cluster.sendCommand(key, false, command),
        destroy: () => destroyQuietly(cluster),
      }
    }
    const client = createClient({ ...common, url: this.#urls[0] as string, socket })
    client.on('error', onError).on('ready', onReady)
    return {
      isReady: () => client.isReady,
      connect: () => client.connect(),
      send: (_key, command) => client.sendCommand(command),
      destroy: () => destroyQuietly(client),
    }
  }
}

/** Milliseconds before the next attempt to connect. */
function retryDelay(retries: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(retries, 10), LAST_RETRY_MS)
}

/** Destroying a client that never connected throws; there is nothing to be done about it. */
function destroyQuietly(client: { destroy(): void }): void {
  try {
    client.destroy()
  } catch {
    // Nothing was open.
  }
}
