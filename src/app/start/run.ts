import type { AdminDependencies } from '../../api/admin/endpoint.ts'
import { stopWebhook } from '../../api/core/webhooks/register.ts'
import { holdDeliveries } from '../../delivery/webhooks/held.ts'
import { type Sender, startSender } from '../../delivery/webhooks/sender.ts'
import { leasedShares, ownShares } from '../../delivery/webhooks/shares.ts'
import { SIGNATURE_HEADER } from '../../delivery/webhooks/signature.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { Disposer } from '../../platform/common/disposer.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { CatchUp } from '../../platform/events/catch-up.ts'
import { type Consumer, follow } from '../../platform/events/follower.ts'
import { reportTo } from '../../platform/events/report.ts'
import { Leases } from '../../platform/queue/leases.ts'
import type { TaskKind } from '../../platform/queue/task.ts'
import { startWorker, type Worker } from '../../platform/queue/worker.ts'
import { ClockControl } from '../../workbench/clock/clock-control.ts'
import { consumerWork, deliveryWork, taskWork } from '../../workbench/clock/work.ts'
import { recallSeeded, type SeedRecord } from '../../workbench/create/seeded.ts'
import { deliveryFaults } from '../../workbench/faults/delivery-faults.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { KeyRotation } from '../../workbench/key-rotation.ts'
import { RuntimeSettings } from '../../workbench/settings/runtime-settings.ts'
import type { CopiedData } from '../../workbench/snapshots/copied.ts'
import type { Snapshots } from '../../workbench/snapshots/snapshots.ts'
import type { Traces } from '../../workbench/traces/traces.ts'
import { endpoints } from '../endpoints.ts'
import { modules } from '../modules.ts'
import { seedStore } from '../seed/seed.ts'
import { type Base, type Ground, openBase } from './base.ts'
import type { Certificates } from './certificates.ts'
import { compose, holderOf, membershipOf } from './compose.ts'
import type { Context } from './context.ts'
import { type FaultParts, openFaults } from './faults.ts'
import type { StartOverrides } from './given.ts'
import { Listeners } from './hosts.ts'
import { createReadiness } from './readiness.ts'
import type { RouteMetrics } from './route-metrics.ts'
import type { Sockets } from './sockets.ts'
import { observerOf } from './traces.ts'

/** What stays while the data is replaced by that of a snapshot. */
export interface RunOptions {
  /** The settings of the start; those in `ground` may change while Plaza runs. */
  readonly settings: Config
  readonly ground: Ground
  readonly certificates: Promise<Certificates>
  readonly journal: Journal | undefined
  readonly traces: Traces | undefined
  readonly routeMetrics: RouteMetrics
  /** Undefined where there is no admin API. */
  readonly snapshots: Snapshots | undefined
  readonly vocabularyReload: AdminDependencies['vocabularyReload']
  readonly keyRotation: KeyRotation
  /** Opens the ports, once: after the store, and before the seed. */
  sockets(certificates: Certificates): Promise<Sockets>
}

/** Everything that works on one state of the data. */
export interface Run {
  readonly base: Base
  readonly context: Context
  readonly listeners: Listeners
  readonly tasks: Worker
  readonly seeded: SeedRecord | undefined
  readonly caughtUp: Promise<boolean>
  /** Lets requests in progress finish within the configured time, and closes everything. */
  close(): Promise<void>
  /** The same, but leaves the ports open, which are held. */
  leave(): Promise<void>
}

/** Opens the data and starts what works on it. `copied`: the data of a snapshot. */
export async function openRun(options: RunOptions, copied?: CopiedData): Promise<Run> {
  const disposer = new Disposer()
  try {
    return await opened(options, copied, disposer)
  } catch (error) {
    await disposer.afterFailure()
    throw error
  }
}

async function opened(options: RunOptions, copied: CopiedData | undefined, disposer: Disposer): Promise<Run> {
  const { ground, journal, traces, snapshots, vocabularyReload, keyRotation, routeMetrics } = options
  const { config, given } = ground
  const base = await openBase(ground, { copied, certificates: options.certificates }, disposer)
  const { certificates, store, sealer } = base
  const sockets = await options.sockets(certificates)
  const membership = disposer.add(membershipOf({ ...base, given }), (one) => one.close())
  // After the ports are open: a start that fails for a port creates nothing.
  const seeded = await seedStore(store, config, {
    ...base.seeding,
    vocabulary: base.vocabulary,
    dictionary: base.dictionary,
    files: base.files,
    membership,
    passwordRounds: given.passwordRounds,
  })
  if (seeded || base.isNew) await snapshots?.saveSeed(base)
  const indexes = await CatchUp.open(base)
  const onCall = observerOf(journal, traces)
  const context = compose(config, given, { ...base, indexes, sockets, membership, disposer, onCall })
  await context.connections.records.closeOfEnded()
  await new Leases({ ...context, holder: holderOf(context) }).freeOwn()
  const ready = createReadiness({ ...base, indexes: context.indexes, folder: base.folder?.path })
  const kinds = modules.flatMap((module) => module.tasks?.(context) ?? [])
  const consumers = modules.flatMap((module) => module.consumers?.(context) ?? [])
  const clockControl = controlOfClock(base, context, { kinds, consumers })
  if (clockControl) disposer.add(clockControl, (one) => one.stop()).start()
  const faults = await openFaults(config, context, context.naming)
  if (faults) disposer.add(faults.control, (one) => one.stop()).start()
  const listeners = new Listeners(context, {
    faults,
    sockets,
    certificates,
    ready,
    clockControl,
    journal,
    traces,
    snapshots,
    vocabularyReload,
    keyRotation,
    routeMetrics,
    runtimeSettings: disposer.add(
      new RuntimeSettings({ ...base, config, atStart: options.settings }),
      (one) => one.stop(),
    ),
    folder: base.folder?.path,
  })
  let leaves = false
  const end = () => (leaves ? listeners.leave() : listeners.close())
  disposer.add(listeners, end)
  await listeners.serve(given.endpoints ?? endpoints)
  const shutdownMs = config.shutdownSeconds * 1000
  const holder = holderOf(context)
  const tasks = disposer.add(
    await startWorker(kinds, { ...context, holder }, { background: given.backgroundTasks ?? true }),
    (one) => one.stop(shutdownMs),
  )
  const sender = disposer.add(sendWith(context, base, { ...given, faults }), (one) => one?.stop(shutdownMs))
  for (const consumer of consumers) disposer.add(followWith(consumer, context, given), (one) => one.stop())
  context.indexes.add(consumers)
  const caughtUp = disposer.add(context.indexes, (one) => one.close()).run()
  // Requests and tasks have the same time to end, and both end before the parts that they use.
  disposer.add(listeners, () =>
    Promise.all([faults?.control.stop(), end(), tasks.stop(shutdownMs), sender?.stop(shutdownMs)]),
  )
  return {
    base,
    context,
    listeners,
    tasks,
    seeded: seeded ?? (await recallSeeded(store, sealer)),
    caughtUp,
    close: () => disposer.all(),
    leave() {
      leaves = true
      return disposer.all()
    },
  }
}

/** Starts sending deliveries to webhooks, or holding them. */
function sendWith(
  context: Context,
  { presence }: Base,
  given: StartOverrides & { faults: FaultParts | undefined },
): Sender | undefined {
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
    interpose:
      given.faults && deliveryFaults({ faults: given.faults.faults, timeoutMs: config.deliveryTimeoutMs }),
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
