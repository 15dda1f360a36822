import type { Clock } from '../common/clock.ts'
import type { Bus } from './bus.ts'

const CHANNEL = 'presence'
/** How often a node says that it is there. */
const ANNOUNCE_MS = 5_000
/** A node that has said nothing for so long is gone. */
const SILENT_MS = 3 * ANNOUNCE_MS

/** Which nodes of the deployment run: a hint, and at most 15 seconds old. */
export interface Presence {
  /** The names of the nodes that are there, this one too, in their order. */
  nodes(): string[]
  /** Tells the others that this node is gone. */
  leave(): void
}

interface Options {
  bus: Bus
  /** The machine's: that a node runs has nothing to do with the time that it shows. */
  clock: Clock
  /** The name of this node. */
  node: string
  /** Told whenever a node came or went. */
  changed?: (nodes: string[]) => void
}

type Message = { node: string; says: 'here' | 'hello' | 'bye' }

/** Announces this node, and listens to those that announce themselves. */
export function announce({ bus, clock, node, changed }: Options): Presence {
  const heardAt = new Map([[node, Number.POSITIVE_INFINITY]])
  const left = new AbortController()
  let known = node
  const say = (says: Message['says']) =>
    bus.publish(CHANNEL, Buffer.from(JSON.stringify({ node, says } satisfies Message)))
  const nodes = () => [...heardAt.keys()].sort()
  const look = () => {
    for (const [other, at] of heardAt) if (at <= clock.now() - SILENT_MS) heardAt.delete(other)
    const now = nodes().join()
    if (now === known) return
    known = now
    changed?.(nodes())
  }
  const take = (data: Uint8Array) => {
    const message = JSON.parse(Buffer.from(data).toString()) as Message
    if (message.node === node) return
    if (message.says === 'bye') heardAt.delete(message.node)
    else heardAt.set(message.node, clock.now())
    // Whoever is new need not wait for the next announcement of the others.
    if (message.says === 'hello') say('here')
    look()
  }
  const listener = bus.subscribe(CHANNEL, take, () => say('hello'))
  const repeat = async () => {
    while (await clock.at(clock.now() + ANNOUNCE_MS, left.signal)) {
      say('here')
      look()
    }
  }
  say('hello')
  void repeat()
  return {
    nodes,
    leave() {
      left.abort()
      listener[Symbol.dispose]()
      say('bye')
    },
  }
}
