import type { ExplorerReply, ReadyCall } from './call.ts'

/** Quotes a text for a POSIX shell. */
const shell = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const script = (value: unknown): string => JSON.stringify(value)

export const LANGUAGES = [
  ['plaza', 'plaza request'],
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
] as const
export type Language = (typeof LANGUAGES)[number][0]

/** The same call in another language. Secrets are names of variables, never values. */
export function snippetOf(language: Language, ready: ReadyCall, origin: string): string {
  return { plaza, curl, javascript, python }[language](ready, origin)
}

export const originOf = ({ request }: Pick<ExplorerReply, 'request'>): string => new URL(request.url).origin

function plaza({ host, method, path, caller, headers = [], body, parts }: ReadyCall): string {
  if (parts || caller.kind === 'oauth2')
    return `# plaza request sends ${parts ? 'no files' : 'no OAuth 2.0 tokens of users'}: use one of the others.`
  return [
    `plaza request ${method} ${shell(path)}`,
    ...(host === 'sandbox' ? ['--host sandbox'] : []),
    ...(caller.kind === 'user'
      ? caller.user
        ? [`--user ${shell(caller.user)}`]
        : []
      : [`--as ${caller.kind}`]),
    ...(caller.app_id ? [`--app ${caller.app_id}`] : []),
    ...headers.map(([name, value]) => `--header ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--body ${shell(body)}`]),
  ].join(' \\\n  ')
}

/** curl does not sign: it takes a bearer token. */
function curl({ method, path, headers = [], body, parts = [], caller }: ReadyCall, origin: string): string {
  return [
    `curl --cacert ca.pem -X ${method} ${shell(origin + path)}`,
    ...(caller.kind === 'none'
      ? []
      : [caller.kind === 'basic' ? '-u "$KEY:$SECRET"' : '-H "Authorization: Bearer $TOKEN"']),
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...parts.map(([name, value]) => `-F ${shell(`${name}=${partText(value)}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shell(body)}`]),
  ].join(' \\\n  ')
}

/** A file is named, as curl reads it. */
const partText = (value: string | File): string => (typeof value === 'string' ? value : `@${value.name}`)

function javascript({ method, path, headers = [], body, parts, caller }: ReadyCall, origin: string): string {
  const names = [
    ...(caller.kind === 'none' ? [] : ["    authorization: 'Bearer ' + TOKEN,"]),
    ...headers.map(([name, value]) => `    ${script(name)}: ${script(value)},`),
  ]
  return [
    ...(caller.kind === 'none' ? [] : ["const TOKEN = '' // a bearer token"]),
    ...(parts
      ? [
          'const form = new FormData()',
          ...parts.map(([name, value]) =>
            typeof value === 'string'
              ? `form.append(${script(name)}, ${script(value)})`
              : `form.append(${script(name)}, await openAsBlob(${script(value.name)})) // of node:fs`,
          ),
        ]
      : []),
    `const response = await fetch(${script(origin + path)}, {`,
    `  method: ${script(method)},`,
    ...(names.length > 0 ? ['  headers: {', ...names, '  },'] : []),
    ...(parts ? ['  body: form,'] : []),
    ...(body === undefined ? [] : [`  body: ${script(body)},`]),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}

function python({ method, path, headers = [], body, parts, caller }: ReadyCall, origin: string): string {
  const isSigned = caller.kind === 'user' || caller.kind === 'client'
  return [
    ...(caller.kind === 'none' || isSigned ? [] : ['import os']),
    ...(isSigned ? ['import os', 'from requests_oauthlib import OAuth1Session'] : ['import requests']),
    '',
    ...(isSigned
      ? [
          'session = OAuth1Session(',
          '    os.environ["CONSUMER_KEY"], os.environ["CONSUMER_SECRET"],',
          ...(caller.kind === 'user'
            ? ['    os.environ["ACCESS_TOKEN"], os.environ["ACCESS_TOKEN_SECRET"],']
            : []),
          ')',
        ]
      : ['session = requests.Session()']),
    ...(caller.kind === 'app' || caller.kind === 'oauth2'
      ? ['session.headers["Authorization"] = "Bearer " + os.environ["TOKEN"]']
      : []),
    ...(caller.kind === 'basic' ? ['session.auth = (os.environ["KEY"], os.environ["SECRET"])'] : []),
    'response = session.request(',
    `    ${script(method)}, ${script(origin + path)},`,
    ...(headers.length > 0 ? [`    headers=${script(Object.fromEntries(headers))},`] : []),
    ...(parts
      ? [
          `    data=${script(Object.fromEntries(parts.filter(([, value]) => typeof value === 'string')))},`,
          `    files={${parts.flatMap(([name, value]) => (typeof value === 'string' ? [] : [`${script(name)}: open(${script(value.name)}, "rb")`])).join(', ')}},`,
        ]
      : []),
    ...(body === undefined ? [] : [`    data=${script(body)},`]),
    '    verify="ca.pem",',
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}
