import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callAdmin } from './admin-client.ts'
import type { AdminTarget } from './admin-target.ts'
import type { StartedApp, StartedUser } from './started.ts'

/** Whose keys the variables have. */
export interface EnvOptions {
  /** Id of an app of `apps`; the first by default. */
  readonly app?: string
  /** Screen name of a user of `users`; the first who granted the app access by default. */
  readonly user?: string
}

/**
 * Environment variables for clients. Those of keys are absent where there is no app or user; those
 * of certificates where Plaza does not issue its certificate.
 */
export interface PlazaEnv {
  readonly API_URL: string
  readonly ADS_API_URL: string
  readonly ADS_SANDBOX_API_URL: string
  readonly CONSOLE_URL: string
  readonly CONSUMER_KEY?: string
  readonly CONSUMER_SECRET?: string
  readonly CLIENT_ID?: string
  readonly CLIENT_SECRET?: string
  /** The app-only bearer token. */
  readonly BEARER_TOKEN?: string
  readonly ACCESS_TOKEN?: string
  readonly ACCESS_TOKEN_SECRET?: string
  /** Node adds the authorities of this file to its own. */
  readonly NODE_EXTRA_CA_CERTS?: string
  /** Others read only this file: OpenSSL, Python, Ruby and Go; requests for Python; curl. */
  readonly SSL_CERT_FILE?: string
  readonly REQUESTS_CA_BUNDLE?: string
  readonly CURL_CA_BUNDLE?: string
}

interface ClientEnvParts {
  readonly admin: AdminTarget
  readonly urls: { core: string; ads: string; adsSandbox: string; console: string }
  readonly caPem: string | undefined
  readonly apps: readonly StartedApp[]
  readonly users: readonly StartedUser[]
}

/** Makes the variables, and the file of the authority, which `remove` removes. */
export class ClientEnv {
  readonly #parts: ClientEnvParts
  #folder: string | undefined

  constructor(parts: ClientEnvParts) {
    this.#parts = parts
  }

  async variables(options: EnvOptions = {}): Promise<PlazaEnv> {
    const { urls, admin } = this.#parts
    const app = this.#app(options)
    const grant = app && this.#grant(app, options)
    const bearer =
      app &&
      (await callAdmin<{ bearer_token: string }>(admin, 'POST', '/tokens', {
        kind: 'bearer',
        app_id: app.id,
      }))
    return {
      API_URL: urls.core,
      ADS_API_URL: urls.ads,
      ADS_SANDBOX_API_URL: urls.adsSandbox,
      CONSOLE_URL: urls.console,
      ...(app && {
        CONSUMER_KEY: app.consumerKey,
        CONSUMER_SECRET: app.consumerSecret,
        ...(app.clientId !== undefined && { CLIENT_ID: app.clientId }),
        ...(app.clientSecret !== undefined && { CLIENT_SECRET: app.clientSecret }),
      }),
      ...(bearer && { BEARER_TOKEN: bearer.bearer_token }),
      ...(grant && { ACCESS_TOKEN: grant.token, ACCESS_TOKEN_SECRET: grant.secret }),
      ...this.#authority(),
    }
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }

  #app({ app: id }: EnvOptions): StartedApp | undefined {
    const { apps } = this.#parts
    const app = id === undefined ? apps[0] : apps.find((one) => one.id === id)
    if (!app && id !== undefined) throw new Error(`The seed made no app with the id ${id}.`)
    return app
  }

  #grant(app: StartedApp, { user: name }: EnvOptions): StartedUser['tokens'][number] | undefined {
    const key = name?.replace(/^@/, '').toLowerCase()
    const users = this.#parts.users.filter(
      ({ screenName }) => key === undefined || screenName.toLowerCase() === key,
    )
    const grant = users.flatMap(({ tokens }) => tokens).find(({ appId }) => appId === app.id)
    if (!grant && name !== undefined)
      throw new Error(`The seed made no user @${key} who granted the app ${app.id} access.`)
    return grant
  }

  #authority(): Partial<PlazaEnv> {
    const { caPem } = this.#parts
    if (caPem === undefined) return {}
    this.#folder ??= mkdtempSync(join(tmpdir(), 'plaza-ca-'))
    const file = join(this.#folder, 'ca.pem')
    writeFileSync(file, caPem)
    return {
      NODE_EXTRA_CA_CERTS: file,
      SSL_CERT_FILE: file,
      REQUESTS_CA_BUNDLE: file,
      CURL_CA_BUNDLE: file,
    }
  }
}
