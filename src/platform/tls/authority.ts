import { createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import type { TimeSource } from '../common/clock.ts'
import { makeFolder } from '../common/make-folder.ts'
import type { RandomSource } from '../common/random.ts'
import { errorCode, writeAtomically } from '../storage/atomic-file.ts'

/** The certificate of a TLS server and its local authority. All texts are PEM. */
export interface ServerCertificate {
  /** Certificate of the local authority, which clients must trust. */
  caPem: string
  /** Absolute path of a file that contains `caPem`, if there is one. */
  caFile?: string
  /** The server's certificate alone, signed by the authority. */
  certPem: string
  /** The server's private key (PKCS #8). */
  keyPem: string
}

/** Where certificates are stored, and the names that they cover. */
export interface CertificateOptions {
  /** Data folder; the files are in `tls/` below it. Without one everything stays in memory. */
  folder?: string
  /** Where else to write the authority's public certificate (mode 0644). */
  caFile?: string
  /** Additional DNS names (also `*.example.test`) and IP addresses, besides the local ones. */
  names: readonly string[]
  clock: TimeSource
  random: RandomSource
}

/**
 * A stored certificate or key cannot be used, or a configured name is not valid in a certificate.
 * The message says which.
 */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem'
}

interface CertificateAndKey {
  certificate: X509Certificate
  certPem: string
  key: KeyObject
  keyPem: string
}

const DAY_MS = 86_400_000
const CA_DAYS = 3650
// Browsers reject a validity of more than 398 days, which includes the day before now.
const SERVER_DAYS = 395
const RENEW_WITHIN_DAYS = 30
const ALWAYS = ['localhost', '*.localhost', '127.0.0.1', '::1']
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * The server's certificate and the local authority that signed it. They are created at the first
 * start and read at later ones.
 *
 * The authority is kept as long as it is valid, because users were asked to trust it. The server's
 * certificate is replaced if it lacks one of the names, expires within 30 days, or was not signed
 * by this authority.
 *
 * `ca.key.pem` and `server.key.pem` contain a key and its certificate. They are in one file, so
 * that they always match, even if two processes start on an empty folder at the same time. `ca.pem`
 * and `server.pem` are public copies, which are corrected if they differ.
 *
 * Throws `CertificateProblem` for a file that is damaged or cannot be read or written, and for a
 * malformed name.
 */
export async function loadCertificates(options: CertificateOptions): Promise<ServerCertificate> {
  const names = [...new Set([...options.names, ...ALWAYS].map(canonicalName))]
  const store =
    options.folder === undefined ? undefined : new CertificateStore(options.folder, options.random)

  let authority = store?.read('ca')
  if (!authority || timeLeft(authority, options.clock) <= 0) {
    const made = await makeAuthority(options.clock, options.random)
    authority = store ? store.keep('ca', made, authority === undefined) : made
  }

  let server = store?.read('server')
  if (!server || !isGood(server, authority, names, options.clock)) {
    const made = await makeServer(authority, names, options.clock, options.random)
    const stored = store ? store.keep('server', made, server === undefined) : made
    // Another process may have created it first, but for other names.
    server = isGood(stored, authority, names, options.clock) ? stored : made
  }

  store?.publish('ca', authority)
  store?.publish('server', server)
  let caFile = store?.path('ca.pem')
  if (options.caFile !== undefined) {
    caFile = resolve(options.caFile)
    writeCaFile(caFile, authority.certPem, options.random)
  }
  return {
    caPem: authority.certPem,
    ...(caFile === undefined ? {} : { caFile }),
    certPem: server.certPem,
    keyPem: server.keyPem,
  }
}

function isGood(
  server: CertificateAndKey,
  authority: CertificateAndKey,
  names: readonly string[],
  clock: TimeSource,
): boolean {
  const { certificate } = server
  const present = namesOf(certificate)
  const left = timeLeft(server, clock)
  // A certificate that expires with its authority cannot be renewed for longer.
  const lasts =
    left > RENEW_WITHIN_DAYS * DAY_MS || (left > 0 && endOf(certificate) >= endOf(authority.certificate))
  return (
    lasts &&
    Date.parse(certificate.validFrom) <= clock.now() &&
    names.every((name) => present.has(name)) &&
    certificate.checkIssued(authority.certificate) &&
    certificate.verify(authority.certificate.publicKey)
  )
}

function endOf(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo)
}

function timeLeft(pair: CertificateAndKey, clock: TimeSource): number {
  return endOf(pair.certificate) - clock.now()
}

/** One spelling for each name, so that names can be compared as text. */
function canonicalName(name: string): string {
  // A certificate cannot contain the zone of a link-local address.
  const address = name.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  // The URL parser, because `isIP` takes milliseconds to get ready for its first IPv6 address.
  if (/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(address)) {
    const host = URL.parse(`http://[${address}]`)?.hostname
    if (host) return host.slice(1, -1)
  }
  if (isIPv4(address)) return address
  const [, wildcard = '', host = ''] = /^(\*\.)?(.*?)\.?$/s.exec(name) ?? []
  const ascii = /^[a-z0-9._-]*$/.test(host) ? host : domainToASCII(host)
  const label = '[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?'
  // A last label of digits only would make it an IPv4 address.
  if (ascii.length > 250 || !new RegExp(`^(${label}\\.)*(?![0-9]+$)${label}$`).test(ascii)) {
    throw new CertificateProblem(
      `${JSON.stringify(name)} cannot stand in a certificate: give a host name or an IP address, without a port.`,
    )
  }
  return wildcard + ascii
}

function namesOf(certificate: X509Certificate): Set<string> {
  const names = new Set<string>()
  for (const entry of certificate.subjectAltName?.split(', ') ?? []) {
    const [, value] = /^(?:DNS|IP Address):(.+)$/.exec(entry) ?? []
    if (value === undefined) continue
    try {
      names.add(canonicalName(value))
    } catch {
      // A name that Plaza would not have written covers none of the required names.
    }
  }
  return names
}

/** The four files in `tls/`. */
class CertificateStore {
  readonly #folder: string
  readonly #random: RandomSource

  constructor(folder: string, random: RandomSource) {
    this.#folder = join(resolve(folder), 'tls')
    this.#random = random
    try {
      makeFolder(this.#folder, 0o700)
    } catch (error) {
      throw cannot('make', this.#folder, error)
    }
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  /** The stored key and certificate, or undefined if there are none yet. */
  read(who: 'ca' | 'server'): CertificateAndKey | undefined {
    const keyFile = this.path(`${who}.key.pem`)
    const certFile = this.path(`${who}.pem`)
    // Always read, so that a damaged copy is noticed; and first, because another process that
    // starts now writes it last.
    const copy = readIfThere(certFile)
    const bundle = readIfThere(keyFile)
    const published = copy === undefined ? undefined : parseCertificate(copy, certFile)
    if (bundle === undefined) {
      if (who === 'server' || published === undefined) return undefined
      throw new CertificateProblem(
        `${keyFile} is missing, so the authority in ${certFile} cannot sign. ` +
          `Put it back, or delete ${certFile} to start with a new authority that clients must trust again.`,
      )
    }
    const key = parseKey(bundle, keyFile)
    // A manually installed pair has its certificate only in the other file.
    const certificate = bundle.includes('BEGIN CERTIFICATE') ? parseCertificate(bundle, keyFile) : published
    if (!certificate)
      throw new CertificateProblem(`${certFile} is missing, and ${keyFile} holds no certificate.`)
    if (who === 'ca' && !(certificate.ca && key.asymmetricKeyDetails?.namedCurve === 'prime256v1')) {
      throw new CertificateProblem(
        `${keyFile} is not the P-256 key of an authority's certificate. ${advice(keyFile)}`,
      )
    }
    if (!certificate.checkPrivateKey(key)) {
      throw new CertificateProblem(
        `The key in ${keyFile} is not the one of its certificate. ${advice(keyFile)}`,
      )
    }
    return pairOf(certificate, key)
  }

  /**
   * Writes a new pair and returns the stored one: with `first`, that of another process if it wrote
   * one first.
   */
  keep(who: 'ca' | 'server', made: CertificateAndKey, first: boolean): CertificateAndKey {
    const keyFile = this.path(`${who}.key.pem`)
    try {
      const options = { mode: 0o600, keepExisting: first, random: this.#random }
      if (writeAtomically(keyFile, made.keyPem + made.certPem, options)) return made
    } catch (error) {
      throw cannot('write', keyFile, error)
    }
    return this.read(who) ?? made
  }

  /** Corrects the public copy. */
  publish(who: 'ca' | 'server', pair: CertificateAndKey): void {
    const file = this.path(`${who}.pem`)
    if (readIfThere(file) === pair.certPem) return
    try {
      writeAtomically(file, pair.certPem, { mode: 0o644, keepExisting: false, random: this.#random })
    } catch (error) {
      throw cannot('write', file, error)
    }
  }
}

function writeCaFile(file: string, caPem: string, random: RandomSource): void {
  const present = readIfThere(file)
  if (present === caPem) return
  // A mistake on the command line must not overwrite someone's file.
  if (
    present?.trim() &&
    !/^-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----$/.test(present.trim())
  ) {
    throw new CertificateProblem(`${file} holds something other than one certificate and is not overwritten.`)
  }
  try {
    makeFolder(dirname(file))
    writeAtomically(file, caPem, { mode: 0o644, keepExisting: false, random })
  } catch (error) {
    throw cannot('write', file, error)
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw cannot('read', file, error)
  }
}

function cannot(what: string, file: string, error: unknown): CertificateProblem {
  return new CertificateProblem(`Cannot ${what} ${file} (${errorCode(error) ?? error}).`, { cause: error })
}

function parseKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // No cause: no part of a key may get into a log.
    throw new CertificateProblem(`${file} is damaged: it holds no readable private key. ${advice(file)}`)
  }
}

function parseCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw new CertificateProblem(`${file} is damaged: it holds no readable certificate. ${advice(file)}`, {
      cause: error,
    })
  }
}

function advice(file: string): string {
  return file.endsWith('ca.key.pem')
    ? `Put it back from a backup, or delete the folder ${dirname(file)} to start with a new authority that clients must trust again.`
    : 'Delete it and start again: it will be recreated.'
}

function pairOf(certificate: X509Certificate, key: KeyObject): CertificateAndKey {
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' })
  return { certificate, certPem: certificate.toString(), key, keyPem: keyPem.toString() }
}

async function makeAuthority(clock: TimeSource, random: RandomSource): Promise<CertificateAndKey> {
  const x509 = await generator()
  const keys = await generateKeys()
  const keyId = await x509.SubjectKeyIdentifierExtension.create(keys.publicKey)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(random),
    // Part of the key is in the name, to distinguish installations in a list of trusted
    // authorities.
    name: [{ CN: [`Plaza local CA ${keyId.keyId.slice(0, 8)}`] }],
    notBefore: new Date(clock.now() - DAY_MS),
    notAfter: new Date(clock.now() + CA_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      keyId,
    ],
  })
  return finished(certificate.toString('pem'), keys)
}

async function makeServer(
  authority: CertificateAndKey,
  names: readonly string[],
  clock: TimeSource,
  random: RandomSource,
): Promise<CertificateAndKey> {
  const x509 = await generator()
  const keys = await generateKeys()
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    authority.key.export({ type: 'pkcs8', format: 'der' }),
    ALGORITHM,
    false,
    ['sign'],
  )
  const issuer = new x509.X509Certificate(authority.certPem)
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(random),
    subject: [{ CN: ['Plaza server'] }],
    issuer: issuer.subjectName,
    notBefore: new Date(clock.now() - DAY_MS),
    notAfter: new Date(Math.min(clock.now() + SERVER_DAYS * DAY_MS, endOf(authority.certificate))),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIPv4(value) || value.includes(':') ? 'ip' : 'dns', value }) as const),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return finished(certificate.toString('pem'), keys)
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

/** 16 bytes, positive and of full length, as serial numbers must be. */
function serialNumber(random: RandomSource): string {
  const bytes = random.bytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0)
  return bytes.toString('hex')
}

async function finished(certPem: string, keys: webcrypto.CryptoKeyPair): Promise<CertificateAndKey> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return pairOf(new X509Certificate(certPem), createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

let importing: Promise<typeof import('@peculiar/x509')> | undefined

/** Its import takes a tenth of a second, which a start with existing certificates does not need. */
function generator(): Promise<typeof import('@peculiar/x509')> {
  importing ??= importGenerator()
  return importing
}

/** The dependency injection of the library requires the metadata API of `Reflect`. */
async function importGenerator(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}
