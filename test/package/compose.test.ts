import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { options, readConfig, variableOf } from '../../src/platform/config/config.ts'
import { parseContainerfile } from './containerfile.ts'

interface Service {
  image: string
  profiles?: string[]
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  depends_on?: string[] | Record<string, { condition: string }>
  configs?: { source: string; target: string }[]
  command?: string[]
}

interface Compose {
  services: Record<string, Service>
  configs: Record<string, { content: string }>
  volumes: Record<string, unknown>
}

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const { services, configs, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose
const image = parseContainerfile(read('Containerfile')).at(-1)
const imageEnv = Object.fromEntries(
  (image?.instructions ?? [])
    .filter(({ name }) => name === 'ENV')
    .map(({ text }) => text.split(/=(.*)/s).slice(0, 2) as [string, string]),
)
const nodes = Object.entries(services).filter(([, { build }]) => build !== undefined)
const of = (profile: string | undefined) =>
  Object.keys(services).filter((name) => services[name]?.profiles?.[0] === profile)
const dependencies = ({ depends_on = [] }: Service) =>
  Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)

describe('compose.yaml', () => {
  test('has one node with its own database, and two with shared services behind a proxy', () => {
    assert.deepEqual(of(undefined), ['plaza'])
    assert.deepEqual(of('cluster'), ['node-1', 'node-2', 'proxy', 'postgres', 'redis', 'store', 'bucket'])
    for (const [name, { build }] of nodes) {
      assert.deepEqual(build, { context: '.', dockerfile: 'Containerfile' }, name)
    }
  })

  test('every setting of a node is known and has a value that Plaza accepts', () => {
    const known = new Set(Object.values(options).map(({ flag }) => variableOf(flag)))
    for (const [name, { environment = {} }] of nodes) {
      const all = { ...imageEnv, ...environment }
      const unknown = Object.keys(all).filter((one) => one.startsWith('PLAZA_') && !known.has(one))
      assert.deepEqual(unknown, [], name)
      assert.ok(
        Object.values(all).every((value) => typeof value === 'string'),
        `${name}: values are texts`,
      )
      readConfig([], all)
    }
  })

  test('the nodes of a cluster share everything but their number', () => {
    const settings = ['node-1', 'node-2'].map((name) =>
      readConfig([], { ...imageEnv, ...services[name]?.environment }),
    )
    const [one, two] = settings.map(({ node, ...rest }) => rest)
    assert.deepEqual(one, two)
    assert.notEqual(settings[0]?.node, settings[1]?.node)
  })

  test('what services refer to is there', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const other of dependencies(service)) assert.ok(services[other], `${name} depends on ${other}`)
      for (const volume of service.volumes ?? [])
        assert.ok((String(volume).split(':')[0] as string) in volumes, volume)
      for (const { source } of service.configs ?? []) assert.ok(configs[source], source)
      for (const port of service.ports ?? [])
        assert.match(port, /^127\.0\.0\.1:/, `${name} is on this machine alone`)
    }
    const hosts = ['PLAZA_DATABASE_URL', 'PLAZA_REDIS_URL', 'PLAZA_MEDIA_ENDPOINT'].map(
      (name) => new URL(services['node-1']?.environment?.[name] ?? '').hostname,
    )
    for (const host of hosts) assert.ok(services[host], host)
  })

  test('the proxy passes each public address on to both nodes, and asks for their health', () => {
    const content = configs.proxy?.content ?? ''
    const { environment = {} } = services['node-1'] as Service
    const { corePort, adsPort, adsSandboxPort, healthListen } = readConfig([], {
      ...imageEnv,
      ...environment,
    })
    const addresses = { CORE: corePort, ADS: adsPort, ADS_SANDBOX: adsSandboxPort }
    for (const [name, port] of Object.entries(addresses)) {
      const site = content
        .split(/^}$/m)
        .find((one) => one.trim().startsWith(environment[`PLAZA_${name}_URL`] ?? '?'))
      assert.ok(site, name)
      assert.ok(site.includes(`reverse_proxy node-1:${port} node-2:${port}`), site)
      assert.ok(site.includes(`health_port ${healthListen?.port}`), site)
    }
  })
})
