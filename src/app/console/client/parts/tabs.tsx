import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onValue: (value: T) => void
  readonly options: readonly (readonly [value: T, text: ComponentChildren])[]
  readonly children?: ComponentChildren
}

/** Tabs, as ARIA describes them: arrows move between them. */
export function Tabs<T extends string>({
  label,
  value,
  onValue,
  options,
  children,
}: TabsProps<T>): JSX.Element {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = options.findIndex(([one]) => one === value)
    const next = (at + step + options.length) % options.length
    const [chosen] = options[next] as readonly [T, ComponentChildren]
    onValue(chosen)
    const tab = list.current?.children[next]
    if (tab instanceof HTMLElement) tab.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {options.map(([one, text]) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            aria-selected={one === value}
            aria-controls={`${id}-panel`}
            tabIndex={one === value ? 0 : -1}
            onClick={() => onValue(one)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} class="tab-panel">
        {children}
      </div>
    </>
  )
}
