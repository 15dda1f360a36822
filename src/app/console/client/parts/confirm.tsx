import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

interface ConfirmButtonProps {
  readonly text: string
  /** What the second button says. */
  readonly confirm: string
  readonly disabled?: boolean
  readonly onConfirm: () => void
}

/** A button for what cannot be undone: it takes a second one, beside a way back. */
export function ConfirmButton({ text, confirm, disabled, onConfirm }: ConfirmButtonProps): JSX.Element {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <button type="button" class="danger" disabled={disabled} onClick={() => setAsking(true)}>
        {text}
      </button>
    )
  return (
    <span class="row">
      <button
        type="button"
        class="danger full"
        disabled={disabled}
        // The first button has gone, and the focus with it.
        ref={(element) => element?.focus()}
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
      >
        {confirm}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  )
}
