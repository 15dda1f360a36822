import { statSync } from 'node:fs'
import { type Config, listenAddresses } from '../../platform/config/config.ts'
import { classify } from '../../platform/outbound/address.ts'

/** Sentences for the operator about settings that work but are not safe. */
export function warningsOf(config: Config): string[] {
  const open = config.hardened
    ? undefined
    : Object.values(listenAddresses(config)).find((address) => !isLoopback(address))
  return [
    ...(open === undefined
      ? []
      : [
          `Listening on ${open} opens Plaza to other machines without --hardened: anyone who can register webhooks or products can make it call services on this machine. Start it with --hardened.`,
        ]),
    ...unsignable(config),
    ...[config.masterKeyFile, config.databaseUrlFile, config.redisUrlFile, config.tlsKey].flatMap(openFile),
  ]
}

/** Signatures cover the public address, which Plaza does not know behind a proxy. */
function unsignable({ behindProxy, adsUrl, adsSandboxUrl }: Config): string[] {
  const missing = [
    ...(adsUrl === undefined ? ['--ads-url'] : []),
    ...(adsSandboxUrl === undefined ? ['--ads-sandbox-url'] : []),
  ]
  return behindProxy && missing.length > 0
    ? [
        `--behind-proxy without ${missing.join(' and ')}: signed requests that reach the advertising API through the proxy get 401, because signatures cover the public address.`,
      ]
    : []
}

const isLoopback = (address: string) => address === 'localhost' || classify(address) === 'loopback'

/** A file with a secret that other users of this machine can read. */
function openFile(path: string | undefined): string[] {
  // Windows has no such bits and reports every file as open to all.
  if (path === undefined || process.platform === 'win32') return []
  const mode = statSync(path).mode
  if ((mode & 0o077) === 0) return []
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  return [
    `${path} contains a secret and is readable by other users of this machine (mode ${bits}). Run: chmod 600 ${path}`,
  ]
}
