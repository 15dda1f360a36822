import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { systemClock } from '../../platform/common/clock.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { type Config, listenAddresses } from '../../platform/config/config.ts'
import type { Folder } from '../../platform/storage/folder.ts'
import { loadCertificates } from '../../platform/tls/authority.ts'

/** The certificates of the listeners, and the authority that clients must trust. */
export interface Certificates {
  /** Undefined behind a proxy that terminates TLS. */
  tls: { cert: string; key: string } | undefined
  /** The local certificate authority; undefined if the operator provided the certificate. */
  caPem: string | undefined
  /** The file of the authority's certificate, if there is one. */
  caFile: string | undefined
}

/** The configured certificate, or one of the local authority for all names of the listeners. */
export async function certificatesOf(config: Config, folder: Folder | undefined): Promise<Certificates> {
  if (config.behindProxy) return { tls: undefined, caPem: undefined, caFile: undefined }
  if (config.tlsCertificate !== undefined && config.tlsKey !== undefined) {
    const tls = givenCertificate(config.tlsCertificate, config.tlsKey)
    return { tls, caPem: undefined, caFile: undefined }
  }
  const hosts = [config.coreUrl, ...config.coreAliases, config.adsUrl, config.adsSandboxUrl].flatMap((url) =>
    url ? [new URL(url).hostname] : [],
  )
  const listening = Object.values(listenAddresses(config)).filter(
    (address) => !['0.0.0.0', '::'].includes(address),
  )
  const made = await loadCertificates({
    names: [...config.tlsNames, ...hosts, ...listening],
    clock: systemClock,
    random: systemRandom,
    ...(folder && { folder: folder.path }),
    // With --memory nothing is stored, but a script that reads the ready file needs the authority
    // as a file.
    ...(!folder && config.readyFile !== undefined && { caFile: `${config.readyFile}.ca.pem` }),
  })
  return { tls: { cert: made.certPem, key: made.keyPem }, caPem: made.caPem, caFile: made.caFile }
}

/** A certificate and its key. Checks both: the TLS library does not name the broken file. */
function givenCertificate(certificateFile: string, keyFile: string): { cert: string; key: string } {
  const cert = readFileSync(certificateFile, 'utf8')
  const key = readFileSync(keyFile, 'utf8')
  const parsed = parse(() => new X509Certificate(cert))
  if (!parsed) throw new Error(`--tls-certificate ${certificateFile} does not begin with a PEM certificate.`)
  const parsedKey = parse(() => createPrivateKey(key))
  if (!parsedKey) throw new Error(`--tls-key ${keyFile} is not a PEM private key without a passphrase.`)
  if (!parsed.checkPrivateKey(parsedKey))
    throw new Error(`--tls-key ${keyFile} is not the key of the first certificate in ${certificateFile}.`)
  return { cert, key }
}

/** The certificate authorities of a file, as PEM. */
export function authoritiesOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (!parse(() => new X509Certificate(text)))
    throw new Error(`--outbound-ca ${file} does not begin with a PEM certificate.`)
  return text
}

function parse<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
