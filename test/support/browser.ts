import type { Client, Reply } from './client.ts'

/** A form as a page shows it. */
interface Form {
  method: string
  action: string
  fields: Record<string, string>
  /** Of its buttons that have a name. */
  buttons: { name: string; value: string; text: string }[]
}

/** A browser without a screen: keeps cookies, reads forms, follows what a person would. */
export class Browser {
  readonly #client: Client
  readonly #cookies = new Map<string, string>()
  #base = ''
  page: Reply = { status: 0, headers: {}, text: '', json: undefined }

  constructor(client: Client) {
    this.#client = client
  }

  async open(target: string): Promise<Reply> {
    return this.#go('GET', target)
  }

  /** Fills the form of the page that has these fields, and sends it by the button with this text. */
  async submit(fields: Record<string, string>, button: RegExp): Promise<Reply> {
    const form = formsOf(this.page.text).find(
      (one) =>
        Object.keys(fields).every((name) => name in one.fields) &&
        one.buttons.some(({ text }) => button.test(text)),
    )
    if (!form)
      throw new Error(`no form with ${Object.keys(fields)} and a button ${button} in:\n${this.page.text}`)
    const pressed = form.buttons.find(({ text }) => button.test(text))
    const sent = { ...form.fields, ...fields, ...(pressed?.name && { [pressed.name]: pressed.value }) }
    return this.#go(form.method, form.action, sent)
  }

  async #go(method: string, target: string, form?: Record<string, string>): Promise<Reply> {
    const url = new URL(target, this.#base || 'https://unset.invalid')
    const address = url.origin === 'https://unset.invalid' ? target : url.href
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    this.page = await this.#client.send(method, address, {
      headers: { ...(cookie && { cookie }), 'sec-fetch-site': 'same-origin' },
      ...(form && { form }),
    })
    if (URL.canParse(address)) this.#base = address
    for (const line of this.page.cookies ?? []) {
      const [pair = ''] = line.split(';')
      const equals = pair.indexOf('=')
      this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
    }
    const { location } = this.page.headers
    // Redirects within the platform are followed; one to the app's callback is where the journey ends.
    if (location !== undefined && new URL(location, this.#base).origin === new URL(this.#base).origin) {
      return this.#go('GET', new URL(location, this.#base).href)
    }
    return this.page
  }
}

function formsOf(page: string): Form[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inner = '']) => {
    const inputs = [...inner.matchAll(/<input\b([^>]*)>/g)].map(([, text = '']) => attributesOf(text))
    const buttons = [...inner.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(
      ([, text = '', label = '']) => {
        const { name = '', value = '' } = attributesOf(text)
        return { name, value, text: label.replace(/<[^>]*>/g, '').trim() }
      },
    )
    const { method = 'GET', action = '' } = attributesOf(head)
    const fields = Object.fromEntries(
      inputs.filter(({ name }) => name).map(({ name = '', value = '' }) => [name, value]),
    )
    return { method: method.toUpperCase(), action, fields, buttons }
  })
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescapeHtml(value),
    ]),
  )
}

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/**
 * Signs a user in and lets them approve what an app asks for, if they are asked at all. Resolves to the last
 * reply: a redirect to the app or a pin page.
 */
export async function approve(
  client: Client,
  url: string,
  user: { screenName: string; password: string },
): Promise<Reply> {
  const browser = new Browser(client)
  await browser.open(url)
  const page = await browser.submit({ screen_name: user.screenName, password: user.password }, /sign in/i)
  return page.status === 302 ? page : browser.submit({}, /allow/i)
}
