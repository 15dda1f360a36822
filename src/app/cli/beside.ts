import { type Config, options, variableOf } from '../../platform/config/config.ts'
import { quote } from './shell.ts'

/** The flags and variables that a command needs to find a running server. */
export interface Beside {
  /** Flags with their values, for a shell. */
  flags: string[]
  /** Environment variables with secrets, which are not printed. */
  variables: string[]
}

/**
 * How a command that accepts these settings finds the server with this configuration; undefined
 * when it cannot. Contains every setting that differs from its default. A ready file replaces all
 * of them, without a secret.
 */
export function beside(config: Config, accepted: readonly string[]): Beside | undefined {
  const understood = accepted.filter((flag) => flag !== 'log-level')
  const found: Beside = { flags: [], variables: [] }
  for (const [setting, { flag, fallback, ...declared }] of Object.entries(options)) {
    const value = config[setting as keyof Config]
    if (!understood.includes(flag) || flag === 'ready-file' || value === fallback) continue
    const text = String(value)
    if ('secret' in declared && isSecret(text)) found.variables.push(variableOf(flag))
    else found.flags.push(`--${flag}`, quote(text))
  }
  const { readyFile } = config
  const readsReadyFile = understood.includes('ready-file') && readyFile !== undefined
  if (readsReadyFile && (config.memory || found.variables.length > 0)) {
    const words =
      config.vocabulary === undefined || !understood.includes('vocabulary') ? [] : [config.vocabulary]
    return {
      flags: ['--ready-file', quote(readyFile), ...words.flatMap((one) => ['--vocabulary', quote(one)])],
      variables: [],
    }
  }
  return config.memory ? undefined : found
}

/** A URL without a password may be printed. */
const isSecret = (text: string) => !URL.canParse(text) || new URL(text).password !== ''
