import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { systemClock } from '../kit/clock.ts'
import { systemRandom } from '../kit/random.ts'
import type { Folder } from '../store/folder.ts'
import { loadCertificates } from '../tls/authority.ts'

/** What the listeners show, and whom clients must trust for it. */
export interface Certificates {
  /** Undefined behind a proxy that ends TLS. */
  tls: { cert: string; key: string } | undefined
  /** Of the local certificate authority; undefined when the certificate was given. */
  caPem: string | undefined
  /** Where the authority's certificate is kept, if it is. */
  caFile: string | undefined
}

/** The given certificate, or one that the local authority signs for every name that clients may use. */
export async function certificatesOf(config: Config, folder: Folder | undefined): Promise<Certificates> {
  if (config.behindProxy) return { tls: undefined, caPem: undefined, caFile: undefined }
  if (config.tlsCertificate !== undefined && config.tlsKey !== undefined) {
    const tls = {
      cert: readFileSync(config.tlsCertificate, 'utf8'),
      key: readFileSync(config.tlsKey, 'utf8'),
    }
    return { tls, caPem: undefined, caFile: undefined }
  }
  const hosts = [config.coreUrl, config.adsUrl, config.adsSandboxUrl].flatMap((url) =>
    url ? [new URL(url).hostname] : [],
  )
  const listening = ['0.0.0.0', '::'].includes(config.listen) ? [] : [config.listen]
  const made = await loadCertificates({
    names: [...config.tlsNames, ...hosts, ...listening],
    clock: systemClock,
    random: systemRandom,
    ...(folder && { folder: folder.path }),
    // Nothing is kept with --memory, but a script that reads the ready file needs the authority as a file.
    ...(!folder && config.readyFile !== undefined && { caFile: `${config.readyFile}.ca.pem` }),
  })
  return { tls: { cert: made.certPem, key: made.keyPem }, caPem: made.caPem, caFile: made.caFile }
}
