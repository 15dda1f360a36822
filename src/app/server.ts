import { stopWebhook } from '../api/core/webhooks/register.ts'
import { holdDeliveries } from '../delivery/webhooks/held.ts'
import { type Sender, startSender } from '../delivery/webhooks/sender.ts'
import { leasedShares, ownShares } from '../delivery/webhooks/shares.ts'
import { SIGNATURE_HEADER } from '../delivery/webhooks/signature.ts'
import { systemClock } from '../platform/common/clock.ts'
import { Disposer } from '../platform/common/disposer.ts'
import { systemRandom } from '../platform/common/random.ts'
import type { Config } from '../platform/config/config.ts'
import { drainSecondsOf } from '../platform/config/operation.ts'
import { CatchUp } from '../platform/events/catch-up.ts'
import { type Consumer, follow } from '../platform/events/follower.ts'
import { reportTo } from '../platform/events/report.ts'
import { Leases } from '../platform/queue/leases.ts'
import type { TaskKind } from '../platform/queue/task.ts'
import { startWorker, type Worker } from '../platform/queue/worker.ts'
import { ClockControl } from '../workbench/clock/clock-control.ts'
import { consumerWork, deliveryWork, taskWork } from '../workbench/clock/work.ts'
import { recallSeeded, type SeedRecord } from '../workbench/create/seeded.ts'
import { RuntimeSettings } from '../workbench/settings/runtime-settings.ts'
import { endpoints } from './endpoints.ts'
import { modules } from './modules.ts'
import { seedStore } from './seed/seed.ts'
import { type Base, openBase } from './start/base.ts'
import { compose, holderOf } from './start/compose.ts'
import type { Context } from './start/context.ts'
import type { StartOverrides } from './start/given.ts'
import { Listeners } from './start/hosts.ts'
import { openJournal } from './start/journal.ts'
import { createReadiness } from './start/readiness.ts'
import { openSockets, type Sockets } from './start/sockets.ts'
import { observerOf, openTraces } from './start/traces.ts'
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
    const base = await openBase(config, given, disposer)
    const { certificates, warnings, log, store, sealer } = base
    const sockets = await openSockets(config, {
      log,
      tls: certificates.tls,
      opened: (port) => disposer.add(port, (one) => one.end()),
    })
    // After the ports are open: a start that fails for a port creates nothing.
    const seeded = await seedStore(store, config, {
      ...base.seeding,
      vocabulary: base.vocabulary,
      passwordRounds: given.passwordRounds,
    })
    const indexes = await CatchUp.open(base)
    const journal = openJournal(config, base)
    const traces = disposer.add(await openTraces(config), (one) => one?.close())
    const onCall = observerOf(journal, traces)
    const context = compose(config, given, { ...base, indexes, sockets, disposer, onCall })
    await context.connections.records.closeOfEnded()
    await new Leases({ ...context, holder: holderOf(context) }).freeOwn()
    const ready = createReadiness({ ...base, indexes: context.indexes, folder: base.folder?.path })
    const kinds = modules.flatMap((module) => module.tasks?.(context) ?? [])
    const consumers = modules.flatMap((module) => module.consumers?.(context) ?? [])
    const clockControl = controlOfClock(base, context, { kinds, consumers })
    if (clockControl) disposer.add(clockControl, (one) => one.stop()).start()
    const listeners = disposer.add(
      new Listeners(context, {
        ...{ sockets, certificates, ready, clockControl, journal, traces },
        runtimeSettings: disposer.add(new RuntimeSettings({ ...base, config }), (one) => one.stop()),
        folder: base.folder?.path,
      }),
      (one) => one.close(),
    )
    await listeners.serve(given.endpoints ?? endpoints)
    const shutdownMs = config.shutdownSeconds * 1000
    const holder = holderOf(context)
    const tasks = disposer.add(
      await startWorker(kinds, { ...context, holder }, { background: given.backgroundTasks ?? true }),
      (one) => one.stop(shutdownMs),
    )
    const sender = disposer.add(sendWith(context, base, given), (one) => one?.stop(shutdownMs))
    for (const consumer of consumers) disposer.add(followWith(consumer, context, given), (one) => one.stop())
    context.indexes.add(consumers)
    const caughtUp = disposer.add(context.indexes, (one) => one.close()).run()
    // Requests and tasks have the same time to end, and both end before the parts that they use.
    disposer.add(listeners, (one) =>
      Promise.all([one.close(), tasks.stop(shutdownMs), sender?.stop(shutdownMs)]),
    )
    return {
      urls: sockets.urls,
      listening: sockets.listening,
      caFile: certificates.caFile,
      caPem: certificates.caPem,
      seeded: seeded ?? (await recallSeeded(store, sealer)),
      context,
      tasks,
      warnings: [...warnings, ...warningsOf(config)],
      async drain(atOnce) {
        const seconds = atOnce.aborted ? 0 : drainSecondsOf(config)
        if (seconds === 0) return
        base.log.info({ seconds }, 'this node is not ready any more and will stop')
        listeners.drain()
        await systemClock.at(systemClock.now() + seconds * 1000, atOnce)
      },
      caughtUp,
      close: () => disposer.all(),
    }
  } catch (error) {
    await disposer.afterFailure()
    throw error
  }
}

/** Starts sending deliveries to webhooks, or holding them. */
function sendWith(context: Context, { presence }: Base, given: StartOverrides): Sender | undefined {
  const { store, log, naming, config } = context
  if (!(given.backgroundDeliveries ?? given.backgroundTasks ?? true)) return undefined
  const onError = (error: unknown) => log.error({ err: error }, 'deliveries could not be read or recorded')
  if (config.holdDeliveries) return holdDeliveries({ ...context, onError })
  const shares =
    store.dialect === 'sqlite'
      ? ownShares()
      : leasedShares({
          store,
          clock: systemClock,
          holder: holderOf(context),
          nodes: () => presence.nodes().length,
        })
  return startSender({
    ...context,
    random: systemRandom,
    shares,
    signatureHeader: naming.vocabulary.header(SIGNATURE_HEADER),
    stopWebhook,
    onError,
  })
}

/** Undefined where the clock cannot be adjusted. */
function controlOfClock(
  { adjustable }: Base,
  { store, log, config }: Context,
  { kinds, consumers }: { kinds: readonly TaskKind<never>[]; consumers: readonly Consumer[] },
): ClockControl | undefined {
  if (!adjustable) return undefined
  const deliveries = config.holdDeliveries ? [] : [deliveryWork(store)]
  return new ClockControl({
    clock: adjustable,
    store,
    work: [taskWork(store, kinds), consumerWork(store, consumers), ...deliveries],
    onError: (error) => log.error({ err: error }, 'the adjusted clock could not be read'),
  })
}

const followWith = (
  consumer: Consumer,
  { store, clock, log, config }: Context,
  { storeIgnoredAfterMs: storeAfterMs }: StartOverrides,
) =>
  follow(consumer, {
    store,
    clock,
    ...(storeAfterMs !== undefined && { storeAfterMs }),
    holder: holderOf({ store, config }),
    onError: reportTo(log, consumer),
  })
