import { option, text, toggle } from './option.ts'
import { address, addressAndPort, list, oneOf, origin, port, wholeNumber } from './readers.ts'

/** Where Plaza listens, and how many clients may connect. */
export const listenerOptions = {
  listen: option({
    flag: 'listen',
    takes: 'ADDRESS',
    describe: 'Address of the three API listeners. The console stays on loopback.',
    fallback: '127.0.0.1',
    read: address,
  }),
  coreListen: text({
    flag: 'core-listen',
    takes: 'ADDRESS',
    describe:
      'Address of the core API and OAuth, if not that of --listen. With an address for each API, all three can use port 443.',
    read: address,
  }),
  adsListen: text({
    flag: 'ads-listen',
    takes: 'ADDRESS',
    describe: 'Address of the advertising API, if not that of --listen.',
    read: address,
  }),
  adsSandboxListen: text({
    flag: 'ads-sandbox-listen',
    takes: 'ADDRESS',
    describe: 'Address of the advertising sandbox, if not that of --listen.',
    read: address,
  }),
  corePort: option({
    flag: 'core-port',
    takes: 'PORT',
    describe: 'Port of the core API and OAuth. 0 picks a free port.',
    fallback: 8443,
    read: port,
  }),
  adsPort: option({
    flag: 'ads-port',
    takes: 'PORT',
    describe: 'Port of the advertising API.',
    fallback: 8444,
    read: port,
  }),
  adsSandboxPort: option({
    flag: 'ads-sandbox-port',
    takes: 'PORT',
    describe: 'Port of the advertising sandbox.',
    fallback: 8445,
    read: port,
  }),
  consolePort: option({
    flag: 'console-port',
    takes: 'PORT',
    describe:
      'Port of the console, with health, readiness, metrics and the CA certificate. Plain HTTP, on loopback only.',
    fallback: 8440,
    read: port,
  }),
  healthListen: option({
    flag: 'health-listen',
    takes: 'ADDRESS:PORT',
    describe:
      'Also serve `GET /health` and `GET /ready` at this address in plain HTTP, for a load balancer. Example: `0.0.0.0:8441`.',
    fallback: undefined as { address: string; port: number } | undefined,
    fallbackText: '',
    read: addressAndPort,
    textOf: ({ address: host, port: number }) => `${host.includes(':') ? `[${host}]` : host}:${number}`,
  }),
  behindProxy: toggle(
    'behind-proxy',
    'Listen with plain HTTP behind a proxy that terminates TLS and sets X-Forwarded-Proto and X-Forwarded-For.',
  ),
  cors: option({
    flag: 'cors',
    takes: 'on|off',
    describe: 'Whether pages of any origin may call the APIs from a browser (CORS).',
    fallback: undefined as 'on' | 'off' | undefined,
    fallbackText: 'on; off with --hardened',
    read: oneOf('on', 'off'),
  }),
  coreUrl: text({
    flag: 'core-url',
    takes: 'URL',
    describe: 'Public origin of the core API, if clients do not connect to the listener directly.',
    read: origin,
  }),
  coreAliases: option({
    flag: 'core-aliases',
    takes: 'URL,…',
    describe: 'Additional public origins of the core API, for clients that use a separate host for uploads.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: (value) => list(value).map(origin),
  }),
  adsUrl: text({
    flag: 'ads-url',
    takes: 'URL',
    describe: 'Public origin of the advertising API.',
    read: origin,
  }),
  adsSandboxUrl: text({
    flag: 'ads-sandbox-url',
    takes: 'URL',
    describe: 'Public origin of the advertising sandbox.',
    read: origin,
  }),
  maxConnections: option({
    flag: 'max-connections',
    takes: 'N',
    describe:
      'Maximum number of open connections on all API listeners. Reduced if the system allows fewer open files.',
    fallback: 10_000,
    read: wholeNumber(16, 1_000_000),
  }),
  bodyMegabytes: option({
    flag: 'body-megabytes',
    takes: 'MB',
    describe:
      'Memory for request bodies. Further requests get 503. Unauthenticated callers share an additional eighth of this; one address may use half of that eighth.',
    fallback: 256,
    // Half of an eighth of it holds the largest form.
    read: wholeNumber(144, 1_048_576),
  }),
  connectionsPerAddress: option({
    flag: 'connections-per-address',
    takes: 'N',
    describe:
      'Maximum number of connections from one IPv4 address or IPv6 /64 network; at most half of --max-connections. Not applied with --behind-proxy.',
    fallback: 1_000,
    read: wholeNumber(1, 1_000_000),
  }),
  tlsNames: option({
    flag: 'tls-names',
    takes: 'NAME,…',
    describe: 'Additional names and addresses for the generated certificate.',
    fallback: [] as readonly string[],
    fallbackText: '',
    read: list,
  }),
  tlsCertificate: text({
    flag: 'tls-certificate',
    takes: 'FILE',
    describe: 'Use this certificate chain (PEM) instead of the generated one.',
  }),
  tlsKey: text({ flag: 'tls-key', takes: 'FILE', describe: 'Private key (PEM) of --tls-certificate.' }),
} as const
