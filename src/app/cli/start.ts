import type { Logger } from 'pino'
import { pageOfApps } from '../../identity/apps/queries.ts'
import { releaseWhenIdle } from '../../platform/common/old-generation.ts'
import { processStart } from '../../platform/common/process-start.ts'
import { limitYoungGeneration } from '../../platform/common/young-generation.ts'
import { type Config, options } from '../../platform/config/config.ts'
import { servesAdminApi } from '../../platform/config/operation.ts'
import { createLog } from '../../platform/log/log.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import { isSeedShown, recordSeedShown } from '../../workbench/create/seeded.ts'
import { type Plaza, startServer } from '../server.ts'
import { type Call, type Flags, UsageError } from './command.ts'
import {
  databaseOf,
  type ReadyFile,
  type RunningFile,
  rejectUnwritable,
  removeFacts,
  removeStaleFacts,
  runningFileOf,
  writeFacts,
} from './files.ts'
import { greeting } from './greeting.ts'
import { currentIdentities, type Identities } from './identities.ts'
import { type Stop, stopSignals } from './signals.ts'

/** In addition to the time that requests get: the time to close everything else. */
const CLOSE_MARGIN_MS = 2_000

/** `plaza start`: runs the server until a signal ends it. */
export async function run({ flags, config }: Call): Promise<number> {
  if (flags.on('detach') && !flags.on('detached'))
    return (await import('./detach.ts')).startDetached(flags, config)
  if (flags.on('wait') && !flags.on('detach')) throw new UsageError('--wait requires --detach')
  const log = createLog(config.logLevel, config.logFormat)
  failOnSurprise(log)
  goOnWithoutOutput(log)
  // Before anything else, so that a signal during the start ends in an orderly way too.
  const stop = stopSignals()
  if (config.readyFile !== undefined) {
    // Before any file whose name is derived from this one.
    rejectUnwritable(config.readyFile)
    removeStaleFacts(config.readyFile)
  }
  const plaza = await started(config, log, stop)
  try {
    if (!config.memory) writeFacts(runningFileOf(config.data), factsOf(plaza))
    limitYoungGeneration()
    releaseWhenIdle()
    // Until then, other commands find the server by the file, and the start does not say that it is
    // ready.
    const isReady = await Promise.race([plaza.caughtUp, stop.asked.then(() => false)])
    if (isReady) await announce(plaza, config, flags)
    await stop.asked
  } catch (error) {
    removeTraces(config)
    await plaza.close()
    throw error
  }
  // First, so that no one reads the address of a server that is stopping.
  removeTraces(config)
  await plaza.drain(stop.atOnce.signal)
  stop.atOnce.abort()
  return close(plaza, config, log)
}

/**
 * Starts the server. If a signal arrives during the start, aborts the start when it takes longer
 * than a stop may take.
 */
async function started(config: Config, log: Logger, stop: Stop): Promise<Plaza> {
  let isOver = false
  const giveUp = () => {
    if (isOver) return
    log.error('stopped during startup')
    process.exit(1)
  }
  void stop.asked.then(() => setTimeout(giveUp, CLOSE_MARGIN_MS).unref())
  try {
    return await startServer(config, { log })
  } catch (error) {
    throw explained(error, config)
  } finally {
    isOver = true
  }
}

/** Removes the files that say where Plaza runs. */
function removeTraces(config: Config): void {
  if (config.readyFile !== undefined) removeFacts(config.readyFile)
  if (!config.memory) removeFacts(runningFileOf(config.data))
}

/**
 * Reports that Plaza is ready, as JSON or text. What the seed created is shown until one start has
 * done so: the start that created it may have failed later, or it ran in the background, where it
 * prints no secrets.
 */
async function announce(plaza: Plaza, config: Config, flags: Flags): Promise<void> {
  const { store } = plaza.context
  const facts = factsOf(plaza)
  const ready = async (): Promise<ReadyFile> => ({ ...facts, ...(await currentIdentities(plaza.context)) })
  if (config.readyFile !== undefined) writeFacts(config.readyFile, await ready())
  const isFirst = plaza.seeded !== undefined && !(await isSeedShown(store))
  const isDetached = flags.on('detached')
  if (flags.on('json'))
    console.log(JSON.stringify(asJson(plaza, config, isFirst && !isDetached ? await ready() : facts)))
  else {
    const [app] = await store.all(pageOfApps, { after: '', limit: 1 })
    console.log(greeting(plaza, config, { isEmpty: app === undefined, isDetached, isFirst }))
  }
  if (isFirst && !isDetached) await recordSeedShown(store)
}

/** `facts` have the identities only when they are shown for the first time. */
function asJson({ warnings, context }: Plaza, config: Config, facts: RunningFile & Partial<Identities>) {
  const { app = null, user = null, accounts = [], advertiser: _, ...where } = facts
  return {
    ...where,
    first_start: 'app' in facts,
    hardened: config.hardened,
    ffmpeg: context.ffmpeg ?? null,
    warnings,
    app,
    user,
    accounts,
  }
}

function factsOf({ urls, listening, caFile, context: { config } }: Plaza): RunningFile {
  return {
    core_url: urls.core,
    ads_url: urls.ads,
    ads_sandbox_url: urls.adsSandbox,
    console_url: urls.console,
    core_port: listening.core,
    ads_port: listening.ads,
    ads_sandbox_port: listening.sandbox,
    console_port: listening.console,
    ca_file: caFile ?? null,
    admin_api: servesAdminApi(config),
    database: databaseOf(config),
    pid: process.pid,
    pid_started: processStart(process.pid) ?? '',
  }
}

async function close(plaza: Plaza, config: Config, log: Logger): Promise<number> {
  const timer = setTimeout(
    () => {
      log.error('the server did not stop in time')
      process.exit(1)
    },
    config.shutdownSeconds * 1000 + CLOSE_MARGIN_MS,
  )
  await plaza.close()
  clearTimeout(timer)
  return 0
}

/** After an uncaught error, the state of the process is unknown, so it exits. */
function failOnSurprise(log: Logger): void {
  const die = (what: string) => (error: unknown) => {
    log.error({ err: error }, what)
    process.exit(1)
  }
  process.on('uncaughtException', die('uncaught error'))
  process.on('unhandledRejection', die('unhandled rejection'))
}

/** A server goes on when its terminal was closed or the disk of its output is full. */
function goOnWithoutOutput(log: Logger): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') log.warn({ err: error }, 'output could not be written')
    })
}

/** Says what a system error means in the words of the settings. */
function explained(error: unknown, config: Config): unknown {
  const { address, port } = error as { address?: string; port?: number }
  const code = errorCode(error)
  if ((code !== 'EADDRINUSE' && code !== 'EACCES') || port === undefined) return error
  const ports = ['corePort', 'adsPort', 'adsSandboxPort', 'consolePort'] as const
  const name = ports.find((one) => config[one] === port)
  const isHealth = name === undefined && config.healthListen?.port === port
  const flag = name ? ` with --${options[name].flag}` : isHealth ? ' with --health-listen' : ''
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} of ${address} is in use. Stop the program that uses it, or choose another port${flag}.`,
    )
  return new Error(`This user may not use port ${port}. Choose another port${flag}.`)
}
