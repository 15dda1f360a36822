import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'plaza-theme'

const isTheme = (text: string | null): text is Theme => THEMES.includes(text as Theme)

function stored(): Theme {
  try {
    const text = localStorage.getItem(KEY)
    return isTheme(text) ? text : 'system'
  } catch {
    // The browser keeps nothing for this site.
    return 'system'
  }
}

export const theme = signal<Theme>(stored())

/** Shows the theme, and keeps it for the next visit. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
    try {
      localStorage.setItem(KEY, theme.value)
    } catch {
      // As above.
    }
  })
}
