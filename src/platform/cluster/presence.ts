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

interface Options {
  bus: Bus
  /** The system clock: presence does not depend on the simulated time. */
  clock: Clock
  /** The name of this node. */
  node: string
  /** Called whenever a node appears or disappears. */
  changed?: (nodes: string[]) => void
}

interface Announcement {
  node: string
  says: 'here' | 'hello' | 'bye'
}

const SAYS: readonly unknown[] = ['here', 'hello', 'bye'] satisfies Announcement['says'][]

const announcements = messagesOn<Announcement>(
  'presence',
  (value): value is Announcement =>
    typeof value.node === 'string' && /^[0-9]{1,4}$/.test(value.node) && SAYS.includes(value.says),
)

/** Announces this node, and listens to announcements of others. */
export function announce({ bus, clock, node, changed }: Options): Presence {
  const heardAt = new Map([[node, Number.POSITIVE_INFINITY]])
  const left = new AbortController()
  let known = node
  const say = (says: Announcement['says']) => announcements.publish(bus, { node, says })
  const nodes = () => [...heardAt.keys()].sort()
  const look = () => {
    for (const [other, at] of heardAt) if (at <= clock.now() - SILENT_MS) heardAt.delete(other)
    const now = nodes().join()
    if (now === known) return
    known = now
    changed?.(nodes())
  }
  const take = (message: Announcement) => {
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
