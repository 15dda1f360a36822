import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: 'text' | 'password' | 'datetime-local' | 'number' | 'search' | 'url'
  readonly hint?: ComponentChildren
  readonly placeholder?: string
  readonly required?: boolean
  readonly maxLength?: number
  /** More than one line of text. */
  readonly rows?: number
  /** Values to choose from while typing. */
  readonly suggestions?: readonly string[]
  readonly mono?: boolean
  readonly step?: string
  readonly autoFocus?: boolean
  /** Whether the label is for screen readers alone. */
  readonly bare?: boolean
}

/** A labelled input. */
export function Field(props: FieldProps): JSX.Element {
  const { label, value, onValue, hint, rows, suggestions, mono, bare, type = 'text', ...rest } = props
  const id = useId()
  const shared = {
    ...rest,
    id,
    value,
    class: mono ? 'mono' : '',
    spellcheck: false,
    autocomplete: 'off',
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
  }
  return (
    <div class="field">
      <label for={id} class={bare ? 'hidden' : ''}>
        {label}
        {props.required && !bare && <span class="quiet"> (required)</span>}
      </label>
      {rows === undefined ? (
        // Each type has a type of its own; all of them have these members.
        <input {...shared} type={type as 'text'} {...(suggestions && { list: `${id}-list` })} />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  /** Values, with their texts where these differ. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly hint?: ComponentChildren
  readonly bare?: boolean
}

/** A labelled list to choose from. */
export function Choice({ label, value, onValue, options, hint, bare }: ChoiceProps): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id} class={bare ? 'hidden' : ''}>
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {options.map((option) => {
          const [one, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={one} value={one} selected={one === value}>
              {text}
            </option>
          )
        })}
      </select>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  )
}

interface FileFieldProps {
  readonly label: string
  /** Undefined if none is chosen. */
  readonly onFile: (file: File | undefined) => void
  /** Endings of names, such as `.tar`. */
  readonly accept?: string
  readonly hint?: ComponentChildren
  readonly required?: boolean
}

/** A labelled choice of a file of the reader's machine. */
export function FileField({ label, onFile, accept, hint, required }: FileFieldProps): JSX.Element {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        type="file"
        id={id}
        {...(accept && { accept })}
        {...(required && { required })}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onValue: (checked: boolean) => void
}

export const Check = ({ label, checked, onValue }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onValue(event.currentTarget.checked)} />
    {label}
  </label>
)

/** Calls `run` when a form is sent, instead of leaving the page. */
export const onSubmit = (run: () => unknown) => (event: Event) => {
  event.preventDefault()
  run()
}
