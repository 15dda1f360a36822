import { systemClock } from '../platform/common/clock.ts'
import { Disposer } from '../platform/common/disposer.ts'
import type { Config } from '../platform/config/config.ts'
import { drainSecondsOf } from '../platform/config/operation.ts'
import type { Worker } from '../platform/queue/worker.ts'
import type { SeedRecord } from '../workbench/create/seeded.ts'
import { openCertificates, openGround } from './start/base.ts'
import type { Context } from './start/context.ts'
import type { StartOverrides } from './start/given.ts'
import { openJournal } from './start/journal.ts'
import { completeRotation } from './start/rotate-key.ts'
import { RouteMetrics } from './start/route-metrics.ts'
import { Runner } from './start/runner.ts'
import { openSockets, type Sockets } from './start/sockets.ts'
import { openTraces } from './start/traces.ts'
import { warningsOf } from './start/warnings.ts'

/** A running Plaza. */
export interface Plaza extends Pick<Sockets, 'urls' | 'listening'> {
  /**
   * The file of the local certificate authority; undefined when the operator provided the
   * certificate, or nothing is stored.
   */
  readonly caFile: string | undefined
  readonly caPem: string | undefined
  /** What the seed created, including secrets; undefined if it created nothing. */
  readonly seeded: SeedRecord | undefined
  readonly context: Context
  /** Runs background tasks. */
  readonly tasks: Worker
  /** Sentences for the operator. */
  readonly warnings: readonly string[]
  /**
   * Says that it is not ready and goes on for the configured time, or until the signal is aborted,
   * so that a load balancer sends requests elsewhere. `close` follows.
   */
  drain(atOnce: AbortSignal): Promise<void>
  /**
   * Resolves once every index that replies depend on has caught up with changes made before the
   * start, to true; to false if it closes first.
   */
  readonly caughtUp: Promise<boolean>
  /**
   * Stops listening, lets requests in progress finish within the configured time, stops tasks,
   * closes the store.
   */
  close(): Promise<void>
}

/** Composes and starts Plaza: the only place where its parts meet. */
export async function startServer(settings: Config, given: StartOverrides = {}): Promise<Plaza> {
  // The runtime settings are changed in it.
  const config: Config = { ...settings }
  const disposer = new Disposer()
  try {
    const ground = openGround(config, given, disposer)
    const { log, folder } = ground
    if (folder) ground.sealer = (await completeRotation(config, folder)) ?? ground.sealer
    const traces = disposer.add(await openTraces(config), (one) => one?.close())
    const journal = openJournal(config, ground)
    if (given.onJournal) journal?.watch(given.onJournal)
    let sockets: Promise<Sockets> | undefined
    const runner = new Runner({
      settings,
      ground,
      certificates: openCertificates(ground, disposer),
      journal,
      traces,
      routeMetrics: new RouteMetrics(),
      sockets: ({ tls }) =>
        (sockets ??= openSockets(config, {
          log,
          tls,
          opened: (port) => disposer.add(port, (one) => one.end()),
        })),
    })
    await runner.start()
    disposer.add(runner, (one) => one.close())
    const { certificates } = runner.run.base
    const { urls, listening } = runner.sockets
    return {
      urls,
      listening,
      caFile: certificates.caFile,
      caPem: certificates.caPem,
      get seeded() {
        return runner.run.seeded
      },
      get context() {
        return runner.run.context
      },
      get tasks() {
        return runner.run.tasks
      },
      get caughtUp() {
        return runner.run.caughtUp
      },
      warnings: [...ground.warnings, ...warningsOf(config)],
      async drain(atOnce) {
        const seconds = atOnce.aborted ? 0 : drainSecondsOf(config)
        if (seconds === 0) return
        log.info({ seconds }, 'this node is not ready any more and will stop')
        runner.run.listeners.drain()
        await systemClock.at(systemClock.now() + seconds * 1000, atOnce)
      },
      close: () => disposer.all(),
    }
  } catch (error) {
    await disposer.afterFailure()
    throw error
  }
}
