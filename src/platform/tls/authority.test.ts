import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Agent, fetch } from 'undici'
import { systemClock as clock, ManualClock } from '../common/clock.ts'
import { systemRandom as random } from '../common/random.ts'
import { CertificateProblem, loadCertificates, type ServerCertificate } from './authority.ts'

const run = promisify(execFile)
const DAY_MS = 86_400_000
const FILES = ['ca.key.pem', 'ca.pem', 'server.key.pem', 'server.pem']

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plaza-tls-'))
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

const load = (names: string[] = [], at: { now(): number } = clock) =>
  loadCertificates({ folder: base, names, clock: at, random })
const read = (name: string) => readFileSync(join(base, 'tls', name), 'utf8')
const contents = () => FILES.map(read)
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some((address) => address.address === '::1'),
)

async function withServer(certificate: ServerCertificate, use: (port: number) => Promise<void>) {
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (_, response) => {
    response.end('hello')
  })
  server.listen(0, hasIpv6 ? '::' : '0.0.0.0')
  await once(server, 'listening')
  try {
    await use((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function fetchText(url: string, ca?: string): Promise<string> {
  // Every name leads here; nothing is resolved.
  const lookup: LookupFunction = (_, options, done) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
  const dispatcher = new Agent({ connect: { lookup, ...(ca === undefined ? {} : { ca }) } })
  try {
    const response = await fetch(url, { dispatcher })
    return await response.text()
  } finally {
    await dispatcher.destroy()
  }
}

function assertConsistent() {
  const ca = new X509Certificate(read('ca.pem'))
  const server = new X509Certificate(read('server.pem'))
  assert.ok(server.checkIssued(ca) && server.verify(ca.publicKey))
  assert.ok(read('ca.key.pem').endsWith(read('ca.pem')))
  assert.ok(read('server.key.pem').endsWith(read('server.pem')))
}

describe('a server with the certificate', () => {
  it('is trusted by clients that trust the authority, under each of its names, and by no others', async () => {
    const certificate = await load(['plaza.test', '*.apps.plaza.test', 'Bücher.example'])
    await withServer(certificate, async (port) => {
      const hosts = ['127.0.0.1', 'localhost', 'plaza.test', 'a.apps.plaza.test', 'bücher.example']
      for (const host of hasIpv6 ? [...hosts, '[::1]'] : hosts) {
        const url = `https://${host}:${port}/`
        assert.equal(await fetchText(url, certificate.caPem), 'hello', host)
        await assert.rejects(fetchText(url), (error: Error) => {
          assert.match(
            String((error.cause as { code?: string })?.code),
            /UNABLE_TO_(VERIFY_LEAF|GET_ISSUER_CERT)/,
          )
          return true
        })
      }
      await assert.rejects(fetchText(`https://other.test:${port}/`, certificate.caPem), (error: Error) => {
        assert.equal((error.cause as { code?: string }).code, 'ERR_TLS_CERT_ALTNAME_INVALID')
        return true
      })
    })
  })

  it('is trusted by the client of node:https under a server name', async () => {
    const certificate = await load(['plaza.test'])
    await withServer(certificate, async (port) => {
      const sent = request({ host: '127.0.0.1', port, servername: 'plaza.test', ca: certificate.caPem }).end()
      const [response] = await once(sent, 'response')
      assert.equal(response.socket.authorized, true)
      response.resume()
      await once(response, 'end')
    })
  })

  it('is trusted by curl with the authority file, and not without', async (t) => {
    if (spawnSync('curl', ['--version']).status !== 0) return t.skip('no curl here')
    const certificate = await load(['plaza.test'])
    assert.equal(certificate.caFile, join(base, 'tls/ca.pem'))
    await withServer(certificate, async (port) => {
      const hosts = ['127.0.0.1', 'localhost', 'plaza.test']
      for (const host of hasIpv6 ? [...hosts, '[::1]'] : hosts) {
        const resolve = host.includes('[') ? [] : ['--resolve', `${host}:${port}:127.0.0.1`]
        const args = ['-sS', '--noproxy', '*', ...resolve, `https://${host}:${port}/`]
        const { stdout } = await run('curl', ['--cacert', `${certificate.caFile}`, ...args])
        assert.equal(stdout, 'hello', host)
        await assert.rejects(run('curl', args), (error: { code?: number }) => error.code === 60)
      }
    })
  })
})

describe('the certificates', () => {
  it('are an authority that can only sign servers, and a server of at most 397 days, both P-256', async () => {
    const { caPem, certPem, keyPem } = await load(['plaza.test', '10.1.2.3', '2001:DB8::0:1'])
    const ca = new X509Certificate(caPem)
    const server = new X509Certificate(certPem)
    for (const certificate of [ca, server]) {
      assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
      const started = clock.now() - Date.parse(certificate.validFrom)
      assert.ok(started >= DAY_MS && started < DAY_MS + 60_000, 'begins a day back')
    }
    assert.match(ca.subject, /^CN=Plaza local CA [0-9a-f]{8}$/)
    assert.ok(ca.ca && !server.ca)
    assert.ok(Math.abs(Date.parse(ca.validTo) - clock.now() - 3650 * DAY_MS) < 60_000)
    assert.ok(Date.parse(server.validTo) - Date.parse(server.validFrom) <= 397 * DAY_MS)
    assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1'])
    assert.equal(
      server.subjectAltName,
      'DNS:plaza.test, IP Address:10.1.2.3, IP Address:2001:DB8:0:0:0:0:0:1, ' +
        'DNS:localhost, DNS:*.localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    assert.equal(certPem.match(/BEGIN/g)?.length, 1)
    assert.equal(keyPem.match(/BEGIN/g)?.length, 1)
    assert.notEqual(ca.serialNumber, server.serialNumber)
  })

  it('carry the extensions that strict verification asks for', async (t) => {
    if (spawnSync('openssl', ['version']).status !== 0) return t.skip('no openssl here')
    await load()
    const file = (name: string) => join(base, 'tls', name)
    await run('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-CAfile',
      file('ca.pem'),
      file('server.pem'),
    ])
    const text = async (name: string) =>
      (await run('openssl', ['x509', '-noout', '-text', '-in', file(name)])).stdout
    const ca = await text('ca.pem')
    assert.match(ca, /Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
    assert.match(ca, /Key Usage: critical\s+Certificate Sign, CRL Sign/)
    const keyId = /Subject Key Identifier:\s+(\S+)/.exec(ca)?.[1]
    assert.ok(keyId)
    assert.ok(ca.includes(`Plaza local CA ${keyId.replaceAll(':', '').slice(0, 8).toLowerCase()}`))
    const server = await text('server.pem')
    assert.match(server, /Subject Key Identifier/)
    assert.equal(/Authority Key Identifier:\s+(?:keyid:)?(\S+)/.exec(server)?.[1], keyId)
  })

  it('are the same bytes at the next start, whatever the order and spelling of the names', async () => {
    const names = ['plaza.test', '2001:db8::1', '::ffff:10.0.0.1', 'bücher.example']
    const first = await load(names)
    const before = contents()
    assert.deepEqual(await load(names), first)
    const spelled = ['xn--bcher-kva.example.', '[::FFFF:A00:1]', '[2001:DB8:0::1]', 'PLAZA.test']
    assert.deepEqual(await load(spelled), first)
    assert.deepEqual(await load(), first, 'fewer names are covered too')
    assert.deepEqual(contents(), before)
  })

  it('are in files of which only the public ones can be read by others', async () => {
    await load()
    const mode = (name: string) => statSync(join(base, 'tls', name)).mode & 0o777
    assert.deepEqual(readdirSync(join(base, 'tls')).sort(), FILES)
    assert.equal(mode('.'), 0o700)
    assert.deepEqual(FILES.map(mode), [0o600, 0o644, 0o600, 0o644])
    assert.equal(read('server.pem').match(/BEGIN/g)?.length, 1)
  })

  it('get a new server certificate for a new name, from the same authority', async () => {
    const first = await load(['a.test'])
    const second = await load(['b.test'])
    assert.equal(second.caPem, first.caPem)
    assert.notEqual(second.certPem, first.certPem)
    assert.match(`${new X509Certificate(second.certPem).subjectAltName}`, /DNS:b\.test/)
    assertConsistent()
  })

  it('get a new server certificate in its last 30 days, from the same authority', async () => {
    const time = new ManualClock(Date.UTC(2030, 0, 1))
    const first = await load([], time)
    time.advance(364 * DAY_MS)
    assert.deepEqual(await load([], time), first)
    time.advance(2 * DAY_MS)
    const renewed = await load([], time)
    assert.equal(renewed.caPem, first.caPem)
    assert.notEqual(renewed.certPem, first.certPem)
    assert.deepEqual(await load([], time), renewed)
    assertConsistent()
  })

  it('get a server certificate that ends with its authority, and a new authority only after that', async () => {
    const time = new ManualClock(Date.UTC(2030, 0, 1))
    const first = await load([], time)
    time.advance(3649 * DAY_MS)
    const last = await load([], time)
    assert.equal(last.caPem, first.caPem)
    assert.equal(new X509Certificate(last.certPem).validTo, new X509Certificate(first.caPem).validTo)
    assert.deepEqual(await load([], time), last, 'it is not made again at every start')
    time.advance(2 * DAY_MS)
    const renewed = await load([], time)
    assert.notEqual(renewed.caPem, first.caPem)
    assert.deepEqual(await load([], time), renewed)
    assertConsistent()
  })

  it('get a new server certificate when the kept one is of another authority', async () => {
    const first = await load()
    for (const name of ['ca.key.pem', 'ca.pem']) rmSync(join(base, 'tls', name))
    const second = await load()
    assert.notEqual(second.caPem, first.caPem)
    assert.notEqual(second.certPem, first.certPem)
    assertConsistent()
  })

  it('have their public copies put right when these are missing or outdated', async () => {
    const first = await load()
    rmSync(join(base, 'tls/server.pem'))
    writeFileSync(join(base, 'tls/ca.pem'), (await loadCertificates({ names: [], clock, random })).caPem)
    assert.deepEqual(await load(), first)
    assertConsistent()
  })

  it('match when several starts meet on an empty folder, in one process and in several', async () => {
    const all = await Promise.all([load(), load(), load(['a.test']), load(['b.test'])])
    assert.equal(new Set(all.map((certificates) => certificates.caPem)).size, 1)
    await load()
    assertConsistent()

    const folder = join(base, 'processes')
    const program = `
      import { loadCertificates } from ${JSON.stringify(new URL('./authority.ts', import.meta.url).href)}
      import { systemClock as clock } from ${JSON.stringify(new URL('../common/clock.ts', import.meta.url).href)}
      import { systemRandom as random } from ${JSON.stringify(new URL('../common/random.ts', import.meta.url).href)}
      const options = { folder: ${JSON.stringify(folder)}, names: [], clock, random }
      console.log(JSON.stringify(await loadCertificates(options)))`
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program])),
    )
    assert.equal(new Set(outputs.map((output) => output.stdout)).size, 1)
    const kept = await loadCertificates({ folder, names: [], clock, random })
    assert.deepEqual(JSON.parse(outputs[0]?.stdout ?? ''), kept)
  })

  it('are rejected by name when a file is damaged, and nothing is overwritten', async () => {
    await load()
    for (const name of FILES) {
      const path = join(base, 'tls', name)
      const whole = read(name)
      for (const damaged of ['', 'nonsense', whole.slice(0, 100)]) {
        writeFileSync(path, damaged)
        await assert.rejects(load(), (error) => {
          assert.ok(error instanceof CertificateProblem)
          assert.ok(error.message.includes(path), error.message)
          return true
        })
        assert.equal(read(name), damaged)
      }
      writeFileSync(path, whole)
    }
    await load()
  })

  it('are rejected by name when the key is missing or another one', async () => {
    await load()
    const path = join(base, 'tls/ca.key.pem')
    const names = (error: unknown) => error instanceof CertificateProblem && error.message.includes(path)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(path, `${privateKey.export({ type: 'pkcs8', format: 'pem' })}${read('ca.pem')}`)
    await assert.rejects(load(), names)
    rmSync(path)
    await assert.rejects(load(), names)
  })

  it('are rejected for what is not a name', async () => {
    const malformed = [
      '',
      ' ',
      'a b',
      'a,DNS:b',
      'host:8080',
      'https://a',
      '*',
      '*.',
      'a.*.b',
      '256.1.1.1',
      '1.2.3',
      '::g',
      '-a.test',
    ]
    for (const name of [...malformed, `${'a'.repeat(64)}.test`]) {
      await assert.rejects(
        loadCertificates({ names: [name], clock, random }),
        (error) => error instanceof CertificateProblem && error.message.includes(JSON.stringify(name)),
        name,
      )
    }
  })

  it('stay in memory without a folder, but for the public file that is asked for', async () => {
    const first = await loadCertificates({ names: [], clock, random })
    assert.equal(first.caFile, undefined)
    assert.ok(!('caFile' in first))
    const caFile = join(base, 'public/ca.pem')
    const second = await loadCertificates({ names: [], clock, random, caFile })
    assert.notEqual(second.caPem, first.caPem)
    assert.equal(second.caFile, caFile)
    assert.equal(readFileSync(caFile, 'utf8'), second.caPem)
    assert.equal(statSync(caFile).mode & 0o777, 0o644)
    assert.deepEqual(readdirSync(base), ['public'])
    const third = await loadCertificates({ names: [], clock, random, caFile })
    assert.equal(readFileSync(caFile, 'utf8'), third.caPem)
  })

  it('do not take the place of a file that is something else', async () => {
    const caFile = join(base, 'notes')
    for (const text of ['my notes', `my notes\n${(await load()).caPem}`]) {
      writeFileSync(caFile, text)
      await assert.rejects(
        loadCertificates({ names: [], clock, random, caFile }),
        (error) => error instanceof CertificateProblem && error.message.includes(caFile),
      )
      assert.equal(readFileSync(caFile, 'utf8'), text)
    }
  })

  it('say which file cannot be written', async () => {
    mkdirSync(join(base, 'tls/server.key.pem'), { recursive: true })
    await assert.rejects(
      load(),
      (error) => error instanceof CertificateProblem && error.message.includes('server.key.pem'),
    )
  })

  it('are read without the library that makes them', async () => {
    await load()
    const program = `
      import { loadCertificates } from ${JSON.stringify(new URL('./authority.ts', import.meta.url).href)}
      import { registerHooks } from 'node:module'
      registerHooks({
        resolve(name, context, next) {
          if (name.includes('x509')) throw new Error('imported ' + name)
          return next(name, context)
        },
      })
      const options = { names: [], clock: { now: () => ${clock.now()} }, random: {} }
      await loadCertificates({ ...options, folder: ${JSON.stringify(base)} })
      await loadCertificates(options).catch((error) => console.log(error.message))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
    assert.equal(stdout, 'imported @peculiar/x509\n', 'only what had to be made asked for it')
  })
})
