import { type App, covers, type Permission } from '../../identity/apps/app.ts'
import { scopeSentence, type TokenScope, type TokenScopes } from '../../identity/tokens/scopes.ts'
import type { UserRow } from '../../identity/users/tables.ts'
import { type Html, html } from '../../platform/common/html.ts'
import { isoTime } from '../../platform/common/time.ts'
import { layout } from '../../platform/protocols/page/layout.ts'
import { destinationOf } from './callback.ts'
import type { GrantedApp } from './queries.ts'
import { OUT_OF_BAND, type PermissionSummary, type Question } from './question.ts'

/** What the forms of every page need. */
interface PageForm {
  /** The path that the form is sent to. */
  action: string
  formToken: string
  /** The public name of a parameter or choice of the endpoint that receives the form. */
  say(identifier: string): string
}

/** What the forms about the access of an app need. */
interface FormPage extends PageForm {
  question: Question
}

/**
 * The values entered in a sign-in form. `failed`: the last attempt failed, and the page says so.
 */
interface SignInFields {
  screenName: string
  failed?: boolean
}

/** The sign-in form for an app that asks for access. */
export function signInPage(page: FormPage & SignInFields): string {
  const { question, say } = page
  return layout(
    `Sign in – ${question.app.name}`,
    html`<h1>Sign in</h1>
${aboutApp(question.app, 'wants access to your account. Sign in to decide.')}
${signInForm(page, hidden(page), html`<button name="${say('decision')}" value="${say('cancel')}" formnovalidate>Cancel</button>`)}`,
  )
}

/** The sign-in form of the page with the apps. */
export function appsSignInPage(page: PageForm & SignInFields): string {
  return layout(
    'Sign in',
    html`<h1>Sign in</h1>
<p>Sign in to see the apps that have access to your account.</p>
${signInForm(page, formTokenField(page))}`,
  )
}

function signInForm(page: PageForm & SignInFields, fields: Html, more?: Html): Html {
  const { screenName, failed, say } = page
  const described = failed ? html` aria-describedby="problem" aria-invalid="true"` : undefined
  const onPassword = screenName !== ''
  return html`${failed && html`<p class="problem" id="problem" role="alert">Incorrect username or password.</p>`}
<form method="post" action="${page.action}">
${fields}
<label for="screen_name">Username</label>
<input id="screen_name" name="${say('screen_name')}" value="${screenName}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="200" required${described}${!onPassword && html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="${say('password')}" type="password" autocomplete="current-password" maxlength="1000" required${described}${onPassword && html` autofocus`}>
<div class="buttons">
<button class="primary" name="${say('decision')}" value="${say('sign-in')}">Sign in</button>
${more}
</div>
</form>`
}

/** The question: what the app may do, for whom, and where the browser goes. */
export function consentPage(page: FormPage & { user: UserRow; permitted: PermissionSummary }): string {
  const { question, user, say } = page
  const { app, address, callback } = question
  const other = `${address}&${say('force_login')}=true`
  const { may, mayNot } = page.permitted
  // The form contains everything, so that its buttons stay visible while the rest is scrolled.
  return layout(
    `Give ${app.name} access to your account?`,
    html`<form method="post" action="${page.action}">
${hidden(page)}
<h1>Give <bdi>${app.name}</bdi> access to your account?</h1>
${aboutApp(app, 'asks for your permission.')}
<p class="account"><span class="initial" aria-hidden="true">${[...user.name][0]?.toUpperCase()}</span>
<span>Signed in as <strong><bdi>${user.name}</bdi></strong> <span class="quiet">@${user.screen_name}</span><br>
<a href="${other}">Use another account</a></span></p>
<p class="quiet after">${afterwards(callback)}</p>
<h2 id="may">This app will be able to</h2>
<ul class="may" aria-labelledby="may">${may.map((line) => html`<li>${line}</li>`)}</ul>
<h2 id="may-not">It will not be able to</h2>
<ul class="may-not" aria-labelledby="may-not">${mayNot.map((line) => html`<li>${line}</li>`)}</ul>
<div class="buttons pinned">
<button class="primary" name="${say('decision')}" value="${say('approve')}">Allow access</button>
<button name="${say('decision')}" value="${say('cancel')}">Cancel</button>
</div>
</form>`,
  )
}

/**
 * The apps with access to a user's account, each with a button that revokes it. `next`: the path of
 * the next page.
 */
export function appsPage(
  page: PageForm & {
    /** The path that signs out. */
    signOut: string
    user: UserRow
    apps: readonly (GrantedApp & { may: readonly string[] })[]
    next: string | undefined
    notice: string | undefined
  },
): string {
  const { user, apps, say } = page
  const form = (action: string, button: Html) => html`<form method="post" action="${action}">
${formTokenField(page)}
${button}
</form>`
  return layout(
    'Apps with access',
    html`<h1>Apps with access to your account</h1>
<p class="account"><span class="initial" aria-hidden="true">${[...user.name][0]?.toUpperCase()}</span>
<span>Signed in as <strong><bdi>${user.name}</bdi></strong> <span class="quiet">@${user.screen_name}</span></span></p>
${page.notice && html`<p class="notice" role="status">${page.notice}</p>`}
${apps.length === 0 && html`<p>No app has access to your account.</p>`}
${apps.map(
  (app) => html`<section class="granted">
<h2><bdi>${app.name}</bdi></h2>
<p class="quiet"><bdi>${app.website}</bdi><br>Since ${isoTime(app.created_at).slice(0, 10)}${app.suspended === 1 && '. This app is suspended'}</p>
<ul class="may">${app.may.map((line) => html`<li>${line}</li>`)}</ul>
${form(
  page.action,
  html`<input type="hidden" name="${say('app_id')}" value="${app.app_id}">
<button name="${say('decision')}" value="${say('revoke')}">Remove access<span class="hidden"> of <bdi>${app.name}</bdi></span></button>`,
)}
</section>`,
)}
${page.next && html`<p><a href="${page.next}">More apps</a></p>`}
${form(page.signOut, html`<button>Sign out</button>`)}`,
  )
}

/** Shown after a sign-out. */
export function signedOutPage(): string {
  return layout(
    'Signed out',
    html`<h1>You are signed out</h1>
<p>Apps that have access to your account keep it.</p>`,
  )
}

/** The PIN that a desktop app asks for. */
export function pinPage(app: App, pin: string): string {
  return layout(
    `Your PIN for ${app.name}`,
    html`<h1>Your PIN for <bdi>${app.name}</bdi></h1>
<p>Go back to the app and enter this PIN. It works once and expires within 15 minutes.</p>
<p class="pin" id="pin">${pin}</p>
<p class="quiet">Only the app needs it. Do not share it with anyone.</p>`,
  )
}

/** Shown when the user denies access and there is no callback. */
export function deniedPage(app: App): string {
  return layout(
    'Access denied',
    html`<h1>Access denied</h1>
<p>You did not give <strong><bdi>${app.name}</bdi></strong> access to your account. You can close this page.</p>`,
  )
}

const hidden = (page: FormPage): Html =>
  html`${page.question.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${formTokenField(page)}`

const formTokenField = ({ formToken, say }: PageForm): Html =>
  html`<input type="hidden" name="${say('form_token')}" value="${formToken}">`

// The website is shown but not linked, because the developer of the app chose it.
const aboutApp = (app: App, sentence: string): Html =>
  html`<p class="app"><strong><bdi>${app.name}</bdi></strong> <span class="quiet">(<bdi>${app.website}</bdi>)</span> ${sentence}</p>`

/**
 * What each OAuth 1.0a level allows, in terms of the account. `advertises`: the user has
 * advertising accounts.
 */
export function levelWords(access: Permission, advertises: boolean): PermissionSummary {
  const read = ['See your posts, your lists, your profile and the accounts you follow']
  const write = ['Post and delete posts, follow accounts and change your profile for you']
  const messages = ['See, send and delete your direct messages']
  const seeAds = advertises ? ['See your advertising accounts: campaigns, audiences and spending'] : []
  const changeAds = advertises
    ? ['Create and change campaigns in your advertising accounts, which spends your money']
    : []
  if (!covers(access, 'read-write'))
    return { may: [...read, ...seeAds], mayNot: [...write, ...changeAds, ...messages, PASSWORD] }
  const may = [...read, ...write, ...seeAds, ...changeAds]
  if (!covers(access, 'read-write-directmessages')) return { may, mayNot: [...messages, PASSWORD] }
  return { may: [...read, ...write, ...messages, ...seeAds, ...changeAds], mayNot: [PASSWORD] }
}

const PASSWORD = 'See your password'

/** What users should know about a token without certain scopes. */
const NOTABLE: readonly TokenScope[] = ['post.write', 'follow.write', 'dm.read', 'dm.write', 'users.email']

/** What OAuth 2.0 scopes allow. */
export const scopeWords = (scopes: TokenScopes): PermissionSummary => ({
  may: [...scopes].map(scopeSentence),
  mayNot: [...NOTABLE.filter((scope) => !scopes.has(scope)).map(scopeSentence), PASSWORD],
})

function afterwards(callback: string): Html {
  if (callback === OUT_OF_BAND) return html`If you allow access, you get a PIN to enter into the app.`
  return html`Then you go to <strong><bdi>${destinationOf(callback)}</bdi></strong>.`
}
