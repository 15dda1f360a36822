import type { JSX } from 'preact'
import type { ApiDocument, Parameter } from '../../openapi.ts'
import { Field, FileField } from '../../parts/field.tsx'
import { choicesOf, isFile, isList } from './form.ts'

interface ParametersProps {
  readonly parameters: readonly Parameter[]
  readonly document: ApiDocument
  readonly values: Readonly<Record<string, string>>
  readonly onValue: (name: string, value: string) => void
  /** Undefined for the fields that take none. */
  readonly onFile?: (name: string, file: File | undefined) => void
}

/** A field for each parameter; the required ones first. */
export function Parameters({ parameters, document, values, onValue, onFile }: ParametersProps): JSX.Element {
  // A file is what a form with one is for.
  const isNeeded = ({ required, schema }: Parameter) => required === true || isFile(schema, document)
  const [needed, others] = [parameters.filter(isNeeded), parameters.filter((one) => !isNeeded(one))]
  const filled = others.filter(({ name }) => values[name]).length
  const show = (parameter: Parameter) =>
    onFile && isFile(parameter.schema, document) ? (
      <FileField
        key={parameter.name}
        label={parameter.name}
        onFile={(file) => onFile(parameter.name, file)}
        {...(parameter.description !== undefined && { hint: parameter.description })}
      />
    ) : (
      <One
        key={parameter.name}
        parameter={parameter}
        document={document}
        value={values[parameter.name] ?? ''}
        onValue={(value) => onValue(parameter.name, value)}
      />
    )
  return (
    <>
      {needed.map(show)}
      {others.length > 0 && (
        <details class="more" open={needed.length === 0 && others.length <= 6}>
          <summary>
            Optional parameters{' '}
            <span class="badge">{filled > 0 ? `${filled} of ${others.length}` : others.length}</span>
          </summary>
          <div class="stack">{others.map(show)}</div>
        </details>
      )}
    </>
  )
}

interface OneProps {
  readonly parameter: Parameter
  readonly document: ApiDocument
  readonly value: string
  readonly onValue: (value: string) => void
}

function One({ parameter: { name, description, schema, required }, document, value, onValue }: OneProps) {
  const choices = choicesOf(schema, document)
  if (choices && isList(schema, document))
    return <Several name={name} description={description} choices={choices} value={value} onValue={onValue} />
  return (
    <Field
      label={name}
      value={value}
      onValue={onValue}
      mono
      {...(required && { required })}
      {...(choices && { suggestions: choices })}
      {...(description !== undefined && { hint: description })}
    />
  )
}

interface SeveralProps {
  readonly name: string
  readonly description: string | undefined
  readonly choices: readonly string[]
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A list of values to choose from, joined with commas. */
function Several({ name, description, choices, value, onValue }: SeveralProps): JSX.Element {
  const chosen = new Set(value.split(',').filter(Boolean))
  const toggle = (one: string) => {
    const next = new Set(chosen)
    if (!next.delete(one)) next.add(one)
    onValue(choices.filter((choice) => next.has(choice)).join(','))
  }
  return (
    <fieldset class="several">
      <legend>{name}</legend>
      {description && <p class="hint">{description}</p>}
      <div class="chips">
        {choices.map((one) => (
          <label key={one} class="chip">
            <input type="checkbox" checked={chosen.has(one)} onChange={() => toggle(one)} />
            {one}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
