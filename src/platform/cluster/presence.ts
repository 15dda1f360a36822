import type { Clock } from '../common/clock.ts'
import type { Bus } from './bus.ts'
import { messagesOn } from './messages.ts'

/** The interval at which a node announces itself. */
const ANNOUNCE_MS = 5_000
/** A node that has not announced itself for this long is considered gone. */
const SILENT_MS = 3 * ANNOUNCE_MS

/** Which nodes of the deployment are running. It is a hint, at most 15 seconds old. */
export interface Presence {
  /** The sorted names of the running nodes, including this one. */
  nodes(): string[]
  /** Announces that this node has stopped. */
  leave(): void
}

interface PresenceOptions {
  bus: Bus
  /** The system clock: presence does not depend on the simulated time. */
  clock: Clock
  /** The name of this node. */
  node: string
  /** Called whenever a node appears or disappears. */
  changed?: (nodes: string[]) => void
}

interface PresenceMessage {
  node: string
  says: 'here' | 'hello' | 'bye'
}

const SAYS: readonly unknown[] = ['here', 'hello', 'bye'] satisfies PresenceMessage['says'][]

const announcements = messagesOn<PresenceMessage>(
  'presence',
  (value): value is PresenceMessage =>
    typeof value.node === 'string' && /^[0-9]{1,4}$/.test(value.node) && SAYS.includes(value.says),
)

/** Announces this node, and listens to announcements of others. */
export function announce({ bus, clock, node, changed }: PresenceOptions): Presence {
  const heardAt = new Map([[node, Number.POSITIVE_INFINITY]])
  const left = new AbortController()
  let known = node
  const say = (says: PresenceMessage['says']) => announcements.publish(bus, { node, says })
  const nodes = () => [...heardAt.keys()].sort()
  const look = () => {
    for (const [name, at] of heardAt) if (at <= clock.now() - SILENT_MS) heardAt.delete(name)
    const now = nodes().join()
    if (now === known) return
    known = now
    changed?.(nodes())
  }
  const take = (message: PresenceMessage) => {
    if (message.node === node) return
    if (message.says === 'bye') heardAt.delete(message.node)
    else heardAt.set(message.node, clock.now())
    // So that a new node need not wait for the next announcements of the others.
    if (message.says === 'hello') say('here')
    look()
  }
  const listener = announcements.subscribe(bus, take, () => say('hello'))
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
