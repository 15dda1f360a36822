import type { App, Permission } from '../identity/app.ts'
import { covers } from '../identity/app.ts'
import type { Html } from '../kit/html.ts'
import { html } from '../kit/html.ts'
import { layout } from '../kit/layout.ts'
import { encode } from '../kit/percent.ts'
import type { UserRow } from '../store/tables.ts'
import { destinationOf } from './callback.ts'
import type { OpenRequest } from './requests.ts'
import { OUT_OF_BAND } from './requests.ts'

/** What both forms need. */
interface FormPage {
  /** The path that the form is sent to. */
  action: string
  request: OpenRequest
  formToken: string
  /** The name of a parameter, or of a choice, as the endpoint that takes the form speaks it. */
  say(identifier: string): string
}

/** The sign-in form. `failed`: the last try was wrong, and the page says so. */
export function signInPage(page: FormPage & { screenName: string; failed?: boolean }): string {
  const { request, screenName, failed, say } = page
  const described = failed ? html` aria-describedby="problem" aria-invalid="true"` : undefined
  const onPassword = screenName !== ''
  return layout(
    `Sign in – ${request.app.name}`,
    html`<h1>Sign in</h1>
${aboutApp(request.app, 'wants access to your account. Sign in to decide.')}
${failed && html`<p class="problem" id="problem" role="alert">This name and this password do not fit together. Check both and try again.</p>`}
<form method="post" action="${page.action}">
${hidden(page)}
<label for="screen_name">User name</label>
<input id="screen_name" name="${say('screen_name')}" value="${screenName}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="200" required${described}${!onPassword && html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="${say('password')}" type="password" autocomplete="current-password" maxlength="1000" required${described}${onPassword && html` autofocus`}>
<div class="buttons">
<button class="primary" name="${say('decision')}" value="${say('sign-in')}">Sign in</button>
<button name="${say('decision')}" value="${say('cancel')}" formnovalidate>Cancel</button>
</div>
</form>`,
  )
}

/** The question: what the app may do, for whom, and where the browser goes. */
export function consentPage(page: FormPage & { user: UserRow }): string {
  const { request, user, say } = page
  const { app, row } = request
  const other = `${page.action}?${say('oauth_token')}=${encode(request.token)}&${say('force_login')}=true`
  const { may, mayNot } = accessWords(row.access as Permission)
  return layout(
    `Let ${app.name} use your account?`,
    html`<h1>Let <bdi>${app.name}</bdi> use your account?</h1>
${aboutApp(app, 'asks for your permission.')}
<p class="account"><span class="initial" aria-hidden="true">${[...user.name][0]?.toUpperCase()}</span>
<span>Signed in as <strong><bdi>${user.name}</bdi></strong> <span class="quiet">@${user.screen_name}</span><br>
<a href="${other}">Not you? Sign in as somebody else</a></span></p>
<h2 id="may">The app will be able to</h2>
<ul class="may" aria-labelledby="may">${may.map((line) => html`<li>${line}</li>`)}</ul>
<h2 id="may-not">It will not be able to</h2>
<ul class="may-not" aria-labelledby="may-not">${mayNot.map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${page.action}">
${hidden(page)}
<div class="buttons">
<button class="primary" name="${say('decision')}" value="${say('approve')}">Allow access</button>
<button name="${say('decision')}" value="${say('cancel')}">Cancel</button>
</div>
</form>
<p class="quiet">${afterwards(row.callback)}</p>`,
  )
}

/** The pin that a desktop app asks for. */
export function pinPage(app: App, pin: string): string {
  return layout(
    `Your pin for ${app.name}`,
    html`<h1>Your pin for <bdi>${app.name}</bdi></h1>
<p>Go back to the app and type in this pin. It can be used once, within a few minutes.</p>
<p class="pin" id="pin">${pin}</p>
<p class="quiet">Nobody but the app needs it: do not send it to anybody.</p>`,
  )
}

/** After a no in a flow that has no callback. */
export function deniedPage(app: App): string {
  return layout(
    'Nothing was allowed',
    html`<h1>Nothing was allowed</h1>
<p><strong><bdi>${app.name}</bdi></strong> has no access to your account from this. You can close this page.</p>`,
  )
}

const hidden = ({ request, formToken, say }: FormPage): Html =>
  html`<input type="hidden" name="${say('oauth_token')}" value="${request.token}">
<input type="hidden" name="${say('form_token')}" value="${formToken}">`

// The website is shown and not linked: whoever registered the app wrote it.
const aboutApp = (app: App, sentence: string): Html =>
  html`<p class="app"><strong><bdi>${app.name}</bdi></strong> <span class="quiet">(<bdi>${app.website}</bdi>)</span> ${sentence}</p>`

/** What each level means, in words that say what may happen to the account. */
function accessWords(access: Permission): { may: string[]; mayNot: string[] } {
  const read = 'Read your posts, your lists and your profile, and see whom you follow'
  const write = 'Post and delete posts, follow people and change your profile in your name'
  const messages = 'Read, send and delete your direct messages'
  const password = 'See your password'
  if (!covers(access, 'read-write')) return { may: [read], mayNot: [write, messages, password] }
  if (!covers(access, 'read-write-directmessages'))
    return { may: [read, write], mayNot: [messages, password] }
  return { may: [read, write, messages], mayNot: [password] }
}

function afterwards(callback: string): Html {
  if (callback === OUT_OF_BAND) return html`If you allow it, you are shown a pin to type into the app.`
  return html`Either way you go to <strong><bdi>${destinationOf(callback)}</bdi></strong> afterwards.`
}
