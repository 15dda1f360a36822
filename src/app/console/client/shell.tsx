import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { type Connection, connection } from './api.ts'
import { clock, plazaNow } from './clock.ts'
import { timeText } from './format.ts'
import { Icon } from './icons.tsx'
import { Navigation } from './navigation.tsx'
import { isSignedIn, signOut } from './session.ts'
import { THEMES, type Theme, theme } from './theme.ts'
import { every } from './timers.ts'

const TICK_MS = 1_000

const STATES: Readonly<Record<Connection, readonly [text: string, kind: string]>> = {
  connecting: ['Connecting', ''],
  open: ['Connected', 'good'],
  lost: ['No answer', 'bad'],
  'signed out': ['Signed out', 'warn'],
  absent: ['No admin API', 'warn'],
}

const THEME_TEXTS: Readonly<Record<Theme, readonly ['system' | 'sun' | 'moon', string]>> = {
  system: ['system', 'Theme: as the system'],
  light: ['sun', 'Theme: light'],
  dark: ['moon', 'Theme: dark'],
}

/** What surrounds every page: navigation, state, theme. */
export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const { path } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    // A reader of the screen goes on at the new page.
    if (shown.current !== path) main.current?.focus()
    shown.current = path
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main" target="_self">
        Skip to the content
      </a>
      <aside class="side" aria-label="Side bar">
        <a class="brand" href="/">
          <Brand />
        </a>
        <Navigation />
      </aside>
      <div class="body">
        <header class="top">
          <Menu />
          <a class="brand small" href="/">
            <Brand />
          </a>
          <div class="row end">
            <ClockState />
            <ConnectionState />
            <ThemeButton />
            {isSignedIn.value && <SignOutButton />}
          </div>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}

const Brand = () => (
  <>
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M3 21V10l9-7 9 7v11h-6v-5a3 3 0 0 0-6 0v5z" />
    </svg>
    Plaza
  </>
)

/** On small screens, the navigation is a dialog. */
function Menu(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    <>
      <button
        type="button"
        class="icon-button menu-button"
        aria-label="Menu"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <dialog class="drawer" ref={dialog} aria-label="Menu">
        <div class="row between">
          <span class="brand">
            <Brand />
          </span>
          <button type="button" class="icon-button" aria-label="Close the menu" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <Navigation onGo={close} />
      </dialog>
    </>
  )
}

function ConnectionState(): JSX.Element {
  const [text, kind] = STATES[connection.value]
  return (
    <span class="state" role="status">
      <span class={`dot ${kind}`} />
      <span class="state-text">{text}</span>
    </span>
  )
}

/** The time that Plaza shows, which is not always that of the machine. */
function ClockState(): JSX.Element | null {
  const [, tick] = useState(0)
  useEffect(() => every(TICK_MS, () => tick((count) => count + 1)), [])
  const now = plazaNow()
  if (now === undefined) return null
  const isFrozen = clock.value?.frozen === true
  return (
    <a class="state clock-state" href="/clock" title="The time that Plaza shows, in UTC">
      <Icon name={isFrozen ? 'pause' : 'clock'} />
      <span class="hidden">Clock: </span>
      <time>{timeText(now)}</time>
      {isFrozen && <span class="badge info">frozen</span>}
    </a>
  )
}

const SignOutButton = () => (
  <button
    type="button"
    class="icon-button"
    aria-label="Sign out"
    title="Sign out"
    onClick={() => void signOut()}
  >
    <Icon name="leave" />
  </button>
)

function ThemeButton(): JSX.Element {
  const [icon, text] = THEME_TEXTS[theme.value]
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] as Theme
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={text}
      title={text}
      onClick={() => {
        theme.value = next
      }}
    >
      <Icon name={icon} />
    </button>
  )
}
