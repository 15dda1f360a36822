import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { type Flags, UsageError } from './command.ts'
import { type ReadyFile, type RunningFile, readFacts, runningFileOf } from './files.ts'
import { currentIdentities, type Identities } from './identities.ts'
import { hasInstallation, noInstallation, withInstallation } from './installation.ts'

/** A Plaza that runs on this machine. */
export interface Running {
  readonly facts: RunningFile
  /** Undefined when its certificate is publicly trusted. */
  readonly caPem: string | undefined
}

/**
 * Finds the running Plaza: through the ready file if one is named, otherwise through the data
 * folder.
 */
export function findRunning(config: Config): Running {
  const facts =
    config.readyFile === undefined
      ? readFacts(runningFileOf(config.data))
      : readFacts<RunningFile>(config.readyFile)
  if (!facts) throw new Error(notRunning(config))
  return { facts, caPem: facts.ca_file === null ? undefined : readCa(facts.ca_file) }
}

function notRunning(config: Config): string {
  if (config.readyFile !== undefined)
    return `The ready file ${config.readyFile} does not exist. Start Plaza with the same --ready-file.`
  if (!hasInstallation(config)) return noInstallation(config)
  return `No Plaza is running with the data folder ${resolve(config.data)}. Start it with "plaza start", or set its folder with --data.`
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`The certificate authority ${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The current keys, from where the running Plaza was found. */
export async function findIdentities(config: Config, flags: Flags, user?: string): Promise<Identities> {
  const app = flags.text('app')
  if (config.readyFile === undefined)
    return withInstallation(config, (opened) => currentIdentities(opened, { app, user }))
  const facts = readFacts<ReadyFile>(config.readyFile)
  if (!facts) throw new Error(notRunning(config))
  if (app !== undefined && app !== facts.app?.id)
    throw new UsageError('--app needs the data folder: the ready file holds one app only')
  if (user === undefined) return facts
  const users = [facts.user, facts.advertiser].filter((one) => one !== null)
  const named = users.find((one) => one.screen_name.toLowerCase() === user.toLowerCase())
  if (named) return { ...facts, user: named }
  const names = users.map((one) => one.screen_name).join(' or ')
  throw new UsageError(`--user must be ${names} with a ready file: others need the data folder`)
}
