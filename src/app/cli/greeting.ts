import { resolve } from 'node:path'
import { VERSION } from '../../platform/common/version.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import type { SeedRecord } from '../../workbench/create/seeded.ts'
import type { Plaza } from '../server.ts'
import { beside } from './beside.ts'
import { programWords } from './program.ts'
import { PROCESS, RUNNING, STORE } from './settings.ts'
import { quote } from './shell.ts'
import { vocabularyOf, WEBHOOK_URL } from './words.ts'

/** A callback URL of the demo app. */
const CALLBACK = 'http://127.0.0.1:3000/callback'
const EXAMPLE_SITE = 'https://app.example.com/'

/**
 * The output of `plaza start` once every listener is open. `isEmpty`: whether the store has no app.
 * `isDetached`: whether the process runs in the background. `isFirst`: whether no start has shown
 * what the seed created.
 */
export function greeting(
  plaza: Plaza,
  config: Config,
  { isEmpty, isDetached, isFirst }: { isEmpty: boolean; isDetached: boolean; isFirst: boolean },
): string {
  const { seeded, warnings } = plaza
  return [
    `Plaza ${VERSION} is ready.`,
    '',
    ...addresses(plaza, config),
    ...(isFirst && seeded && seeded.users.length > 0
      ? isDetached
        ? ['', ...madeQuietly(seeded, config)]
        : ['', ...made(seeded), ...firstSteps(plaza, seeded, config)]
      : []),
    ...(isEmpty ? beginning(config) : []),
    '',
    webhookRule(config),
    ...warnings.map((warning) => `Warning: ${warning}`),
    `Stop it with ${[...(isDetached ? [] : ['Ctrl-C']), ...command(config, PROCESS, 'stop')].join(', or ')}. Flags and commands: ${programWords()} help`,
  ].join('\n')
}

/** The command line with the flags to find this server; empty when that is impossible. */
function command(config: Config, settings: readonly string[], ...words: string[]): string[] {
  const found = beside(config, settings)
  return found ? [[programWords(), ...words, ...found.flags].join(' ')] : []
}

/** The environment variables that commands need. */
function environment(config: Config, settings: readonly string[]): string[] {
  const { variables = [] } = beside(config, settings) ?? {}
  return variables.length === 0
    ? []
    : [
        `  # With ${variables.join(' and ')} in the environment of that terminal, set to the ${variables.length === 1 ? 'value' : 'values'} of this server.`,
      ]
}

/** The commands that create the first user, app and account of an empty store. */
function beginning(config: Config): string[] {
  const steps = [
    ...command(config, STORE, 'user create', '--screen-name', 'ann', '--name', 'Ann'),
    ...command(
      config,
      STORE,
      'app create',
      '--name',
      'Tool',
      '--website',
      EXAMPLE_SITE,
      '--owner',
      'ann',
      '--grant',
      'ann',
    ),
    ...command(config, STORE, 'account create', '--name', 'Account', '--owner', 'ann'),
  ]
  if (steps.length === 0) return []
  return [
    '',
    'There is no app yet. To create a user, an app and an advertising account, run these commands in another terminal:',
    ...environment(config, STORE),
    ...steps.map((step) => `  ${step}`),
  ]
}

function addresses({ urls, caFile, context }: Plaza, config: Config): string[] {
  return [
    `  Core API and OAuth   ${urls.core}`,
    `  Advertising API      ${urls.ads}`,
    `  Advertising sandbox  ${urls.adsSandbox}`,
    `  Console              ${urls.console}`,
    `  Reference            ${urls.console}/reference`,
    ...(urls.health === undefined ? [] : [`  Health               ${urls.health}/health and /ready`]),
    `  Data                 ${config.memory ? 'in memory; lost when Plaza stops' : (config.databaseUrl ? 'PostgreSQL, and ' : '') + resolve(config.data)}`,
    `  Posters of videos    ${posters(context.ffmpeg, config)}`,
    ...(caFile === undefined
      ? config.memory && !config.behindProxy && config.tlsCertificate === undefined
        ? [`  Certificates         signed by a local authority: curl -o ca.pem ${urls.console}/ca.pem`]
        : []
      : [
          `  Certificates         signed by the local authority ${caFile}`,
          `                       curl: curl --cacert ${quote(caFile)} …`,
          `                       Node: NODE_EXTRA_CA_CERTS=${quote(caFile)} node …`,
        ]),
  ]
}

const posters = (ffmpeg: string | undefined, config: Config) =>
  ffmpeg === undefined
    ? `placeholders${config.ffmpeg === 'none' ? '' : ': ffmpeg was not found on the PATH; set --ffmpeg'}`
    : `first frames, taken by ${ffmpeg}`

const webhookRule = ({ hardened, outboundAllow }: Config) => {
  if (hardened) return 'Hardened: webhook URLs must be public, use https and have no port.'
  return outboundAllow === undefined
    ? 'Loopback webhooks are allowed (development); --hardened rejects them.'
    : 'Webhooks may point to the addresses in --outbound-allow (development); --hardened requires https.'
}

/** What the first start created. */
function made({ apps, users, accounts }: SeedRecord): string[] {
  const tokens = apps.flatMap(({ grants, name }) =>
    grants.map(({ screenName, token, secret }) => ({ screenName, app: name, token, secret })),
  )
  return [
    'Created for you. These secrets are shown only once:',
    ...apps.flatMap(({ id, name, consumerKey, consumerSecret, clientId, clientSecret, userTokens = [] }) => [
      `  App "${name}" (${id})`,
      `    consumer key         ${consumerKey}`,
      `    consumer secret      ${consumerSecret}`,
      ...(clientId === undefined ? [] : [`    client id            ${clientId} (OAuth 2.0)`]),
      ...(clientSecret === undefined ? [] : [`    client secret        ${clientSecret}`]),
      ...userTokens.flatMap(({ screenName, accessToken, refreshToken }) => [
        `    OAuth 2.0, @${screenName}`,
        `    access token         ${accessToken}`,
        ...(refreshToken === undefined ? [] : [`    refresh token        ${refreshToken}`]),
      ]),
    ]),
    ...users.flatMap(({ id, screenName, name, password }) => [
      `  ${name} @${screenName} (${id})`,
      `    password             ${password}`,
      ...tokens
        .filter((one) => one.screenName.toLowerCase() === screenName.toLowerCase())
        .flatMap(({ token, secret }) => [
          `    access token         ${token}`,
          `    access token secret  ${secret}`,
        ]),
    ]),
    ...accounts.flatMap(({ id, environment, name, owner, fundingInstrumentIds }) => [
      `  ${name} of @${owner}, ${environment === 'sandbox' ? 'on the sandbox' : 'for advertising'}`,
      `    account              ${id}`,
      ...fundingInstrumentIds.map((one) => `    funding instrument   ${one}`),
    ]),
  ]
}

/**
 * What the first start created, without secrets: the output of a process in the background is
 * usually kept.
 */
function madeQuietly(seeded: SeedRecord, config: Config): string[] {
  const { apps, users, accounts } = seeded
  return [
    'Created for you:',
    ...apps.map(({ id, name }) => `  App "${name}" (${id})`),
    ...users.map(({ id, name, screenName }) => `  ${name} @${screenName} (${id})`),
    ...accounts.map(({ id, name, owner }) => `  ${name} of @${owner} (${id})`),
    config.readyFile === undefined
      ? 'A start in the background prints no secrets. The next start without --detach prints them.'
      : `A start in the background prints no secrets. Those of the app and its user are in ${config.readyFile}.`,
    '',
    'Try it:',
    ...ownCommands(config, seeded, vocabularyOf(config)),
  ]
}

/** Commands to copy, for the first app. */
function firstSteps({ urls, caFile }: Plaza, seeded: SeedRecord, config: Config): string[] {
  const [app] = seeded.apps
  if (!app) return []
  const words = vocabularyOf(config)
  const url = (path: string) => urls.core + words.path(path)
  const ca = caFile ?? (urls.core.startsWith('https:') && config.memory ? 'ca.pem' : undefined)
  const curl = ca === undefined ? 'curl -s' : `curl -s --cacert ${quote(ca)}`
  const bearer = '-H "Authorization: Bearer $BEARER"'
  const webhook = quote(JSON.stringify({ [words.name('url')]: WEBHOOK_URL }))
  return [
    '',
    'Try it, in another terminal:',
    ...(ca === 'ca.pem' ? [`  curl -s -o ca.pem ${urls.console}/ca.pem`] : []),
    '  # Get a bearer token for the app, and list the webhooks of the app: none yet.',
    `  BEARER=$(${curl} -u ${quote(`${app.consumerKey}:${app.consumerSecret}`)} -d ${words.name('grant_type')}=client_credentials \\`,
    `    ${url('/oauth2/token')} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  ${curl} ${bearer} ${url('/2/webhooks')}`,
    ...ownCommands(config, seeded, words),
    ...(takesLoopbackWebhooks(config)
      ? [
          '  # The same registration with curl. PUT …/ID checks the webhook again; DELETE …/ID removes it.',
          `  ${curl} ${bearer} -H 'Content-Type: application/json' -d ${webhook} ${url('/2/webhooks')}`,
        ]
      : []),
  ]
}

const takesLoopbackWebhooks = ({ hardened, outboundAllow }: Config) =>
  !hardened && outboundAllow === undefined

/** The steps with `plaza` commands, if these can find this server. */
function ownCommands(config: Config, { users, accounts }: SeedRecord, words: Vocabulary): string[] {
  const user = users[0]?.screenName
  if (!beside(config, RUNNING))
    return [
      '  # With --memory, listen and request need --ready-file FILE, both for this start and for each command.',
    ]
  const plaza = (...words: string[]) => command(config, RUNNING, ...words).map((line) => `  ${line}`)
  return [
    ...environment(config, RUNNING),
    ...(takesLoopbackWebhooks(config)
      ? [
          '  # A webhook that answers CRC checks, prints events and registers itself. Leave it running.',
          ...plaza('listen', '--register'),
        ]
      : []),
    '  # A signed request, with each step of the signature.',
    ...plaza('request', 'GET', words.path('/2/webhooks'), '--explain'),
    ...(accounts.length === 0
      ? []
      : [
          '  # The advertising accounts of the user.',
          ...plaza('request', 'GET', words.path('/12/accounts'), '--host', 'ads'),
        ]),
    `  # Sign in with OAuth${user === undefined ? '' : ` as @${user}`}: get a request token, then open the authorize page with it.`,
    ...plaza('request', 'POST', words.path('/oauth/request_token'), '--as', 'client', '--callback', CALLBACK),
  ]
}
