import { rmSync } from 'node:fs'
import type { Logger } from 'pino'
import { openDictionary } from '../../domain/annotations/dictionary.ts'
import { ffmpegOf } from '../../domain/media/poster/ffmpeg.ts'
import { Credentials } from '../../identity/tokens/credentials.ts'
import type { Bus } from '../../platform/cluster/bus.ts'
import { announce } from '../../platform/cluster/presence.ts'
import { type Clock, systemClock } from '../../platform/common/clock.ts'
import type { Disposer } from '../../platform/common/disposer.ts'
import { type IdSource, type ResumableIds, timeOrderedIds } from '../../platform/common/ids.ts'
import { type RandomSource, seededRandom, systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { servesAdminApi } from '../../platform/config/operation.ts'
import { createLog } from '../../platform/log/log.ts'
import { openFolder } from '../../platform/storage/folder.ts'
import { masterKey } from '../../platform/storage/master-key.ts'
import { openStore } from '../../platform/storage/open.ts'
import { watchOutsideCommits } from '../../platform/storage/outside-commits.ts'
import { createSealer, type Sealer } from '../../platform/storage/seal.ts'
import { checkMasterKey, countStart } from '../../platform/storage/settings.ts'
import type { Store } from '../../platform/storage/store.ts'
import { AdjustableClock } from '../../workbench/clock/adjustable-clock.ts'
import { loadClock } from '../../workbench/clock/clock-control.ts'
import type { CopiedData } from '../../workbench/snapshots/copied.ts'
import { completeRestoration } from '../../workbench/snapshots/replaced-files.ts'
import { endpoints } from '../endpoints.ts'
import { type Certificates, certificatesOf } from './certificates.ts'
import type { StartOverrides } from './given.ts'
import { StoredIds } from './ids.ts'
import { leasedIds, type NodeLease } from './node-lease.ts'
import { openBus, openCluster, openFiles, openLease, storeLocation } from './state.ts'
import { openVocabulary, vocabularyWarning } from './vocabulary.ts'

/** What stays while the data is replaced by that of a snapshot. */
export type Ground = ReturnType<typeof openGround>

export type Base = Awaited<ReturnType<typeof openBase>>

/** Opens what does not depend on the data: the folder, the master key, the log. */
export function openGround(config: Config, given: StartOverrides, disposer: Disposer) {
  // Tests move the clock that they give; anyone else, the one of the admin API.
  const adjustable = given.clock || !servesAdminApi(config) ? undefined : new AdjustableClock()
  const clock = given.clock ?? adjustable ?? systemClock
  const machineClock = given.clock ?? systemClock
  const log = given.log ?? createLog(config.logLevel, config.logFormat)
  const vocabulary = openVocabulary(config, given.endpoints ?? endpoints)
  const dictionary = openDictionary(config)
  const folder = config.memory
    ? undefined
    : disposer.add(openFolder(config.data, { server: true }), (opened) => opened.close())
  if (folder && config.databaseUrl === undefined) completeRestoration(folder.path)
  const first = given.random ?? firstRandom(config)
  const { key, warning } = masterKey({
    random: first,
    ...(folder && { folder }),
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  const words = vocabularyWarning(config, given.endpoints ?? endpoints)
  const warnings = [folder?.warning, warning, words].filter((warning) => warning !== undefined)
  // Sealing with a stored key must never repeat itself, so its randomness is never seeded.
  const sealer = createSealer(key, systemRandom)
  return {
    config,
    given,
    adjustable,
    clock,
    machineClock,
    log,
    vocabulary,
    dictionary,
    folder,
    first,
    warnings,
    sealer,
  }
}

/** What a store has if it belongs to a master key. */
export const keyCheckOf = (sealer: Sealer): string => sealer.derive('master key check').toString('base64url')

/** The certificates that stay, too. */
export async function openCertificates(
  { config, folder }: ReturnType<typeof openGround>,
  disposer: Disposer,
): Promise<Certificates> {
  const made = await certificatesOf(config, folder)
  // With --memory, nothing is stored: the file exists while Plaza runs.
  if (config.memory && made.caFile !== undefined)
    disposer.add(made.caFile, (file) => rmSync(file, { force: true }))
  return made
}

/**
 * Opens the data of Plaza, and what it shares with other nodes. `copied`: in memory, the data to
 * begin with.
 */
export async function openBase(
  ground: ReturnType<typeof openGround>,
  { copied, certificates: making }: { copied?: CopiedData | undefined; certificates: Promise<Certificates> },
  disposer: Disposer,
) {
  const {
    config,
    given,
    adjustable,
    clock,
    machineClock,
    log,
    vocabulary,
    dictionary,
    folder,
    warnings,
    sealer,
  } = ground
  const [certificates, store] = await openBoth(
    making,
    openStore(storeLocation(config, folder, copied), {
      clock,
      onError: (error) => log.error({ err: error }, 'database connection lost'),
      connections: config.databaseConnections,
      ...(given.runWritesTwice !== undefined && { runWritesTwice: given.runWritesTwice }),
    }),
    (opened) => disposer.add(opened, (store) => store.close()),
  )
  if (folder || config.databaseUrl !== undefined) {
    const failed = (error: unknown) =>
      log.error({ err: error }, 'changes of commands are noticed later: the database could not be read')
    disposer.add(await watchOutsideCommits(store, failed), (watch) => watch.close())
  }
  const keyCheck = keyCheckOf(sealer)
  const isNew = await checkMasterKey(store, keyCheck)
  if (adjustable) await loadClock(adjustable, store)
  const files = disposer.add(await openFiles(config, folder, copied), (store) => store.close())
  const ffmpeg = ffmpegOf(config)
  const warn = (sentence: string) => warnings.push(sentence)
  const cluster = disposer.add(
    await openCluster(config, { clock, machineClock, folder, isNew, copied, log, warn }),
    (cluster) => cluster.close(),
  )
  const lease = await openLease(config, { store, folder, files, cluster, log, warn })
  if (lease) disposer.add(lease, (lease) => lease.close())
  // A rotation of the key keeps nodes from starting, so this one may have waited for it to end.
  await checkMasterKey(store, keyCheck)
  const stored = disposer.add(await StoredIds.open({ store, clock, node: config.node }), (one) =>
    config.memory ? undefined : one.close(),
  )
  await stored.reserve()
  const { random, ids, seeding } = await openSources(config, {
    clock,
    store,
    stored,
    firstRandom: ground.first,
    lease,
  })
  const bus = disposer.add(await openBus(config, log), (bus) => bus.close())
  const presence = disposer.add(announcePresence(config, bus, log), (presence) => presence.leave())
  const credentials = new Credentials(store, sealer)
  return {
    config,
    clock,
    adjustable,
    machineClock,
    log,
    vocabulary,
    dictionary,
    folder,
    warnings,
    sealer,
    certificates,
    isNew,
    copied,
    store,
    lease,
    holder: lease?.holder ?? systemRandom.bytes(16).toString('hex'),
    files,
    ffmpeg,
    random,
    ids,
    cluster,
    bus,
    presence,
    credentials,
    seeding: { ...seeding, random, sealer },
  }
}

/**
 * Waits for both. If one fails, a store that opened is still passed on, so that it can be closed.
 */
async function openBoth<A, B>(
  left: Promise<A>,
  right: Promise<B>,
  opened: (value: B) => unknown,
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([left, right])
  if (second.status === 'fulfilled') opened(second.value)
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}

const announcePresence = ({ node }: Config, bus: Bus, log: Logger) =>
  announce({
    bus,
    clock: systemClock,
    node: String(node),
    changed: (nodes) => log.info({ nodes }, 'the set of running nodes changed'),
  })

/** Randomness before the store is open. It may create the master key. */
const firstRandom = (config: Config): RandomSource =>
  config.seedRandom === undefined ? systemRandom : seededRandom(config.seedRandom)

/** The creation time of everything that a seeded start creates: 2026-01-01. */
const SEEDED_START_MS = 1_767_225_600_000

/** Where ids, times and randomness come from. */
interface IdSources {
  random: RandomSource
  ids: ResumableIds
  /** For the first start. In a seeded run, ids and times are the same each time, and consistent. */
  seeding: { ids: IdSource; clock: Clock }
}

/** Seeded randomness differs between the starts of one store: otherwise it would repeat itself. */
async function openSources(
  config: Config,
  parts: {
    clock: Clock
    store: Store
    stored: StoredIds
    firstRandom: RandomSource
    lease: NodeLease | undefined
  },
): Promise<IdSources> {
  const { clock, store, stored, firstRandom, lease } = parts
  const leased = (ids: ResumableIds) => (lease ? leasedIds(ids, lease) : ids)
  const ids = leased(stored)
  if (config.seedRandom === undefined) return { random: firstRandom, ids, seeding: { ids, clock } }
  const start = await countStart(store)
  const seeded: Clock = { now: () => SEEDED_START_MS, at: (timeMs, signal) => clock.at(timeMs, signal) }
  return {
    random: start === 0 ? firstRandom : seededRandom(`${config.seedRandom} start ${start}`),
    ids,
    seeding: { ids: leased(timeOrderedIds(seeded, config.node, stored.after)), clock: seeded },
  }
}
