import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { advanceClock, changeClock, clock, plazaNow } from '../clock.ts'
import { spanText, timeText } from '../format.ts'
import { Icon } from '../icons.tsx'
import { Facts } from '../parts/code.tsx'
import { Field, onSubmit } from '../parts/field.tsx'
import { Card, Loading, Notes, Page } from '../parts/page.tsx'
import { useAction } from '../resource.ts'
import { every } from '../timers.ts'

const TICK_MS = 200
const STEPS = ['1m', '15m', '1h', '1d', '7d'] as const

/** Reads, sets, freezes and advances the clock. */
export function ClockPage(): JSX.Element {
  return (
    <Page
      title="Clock"
      about="Everything that depends on time follows this clock: tokens, limits, retries, schedules. It never goes back."
    >
      {clock.value ? (
        <div class="grid">
          <NowCard />
          <AdvanceCard />
          <SetCard />
        </div>
      ) : (
        <Loading />
      )}
    </Page>
  )
}

function NowCard(): JSX.Element {
  const [, tick] = useState(0)
  useEffect(() => every(TICK_MS, () => tick((count) => count + 1)), [])
  const isFrozen = clock.value?.frozen === true
  const change = useAction(async (frozen: boolean) => {
    await changeClock({ frozen })
    return frozen ? 'The clock stands still.' : 'The clock goes on.'
  })
  const now = plazaNow() ?? 0
  const reading = clock.value
  const ahead = reading ? Date.parse(reading.now) - Date.parse(reading.machine_now) : 0
  return (
    <Card title="Now">
      <p class="big-time">
        <time dateTime={new Date(now).toISOString()}>{timeText(now)}</time>{' '}
        <span class={`badge ${isFrozen ? 'info' : 'good'}`}>{isFrozen ? 'frozen' : 'running'}</span>
      </p>
      <Facts
        of={[
          ['Zone', 'UTC'],
          [
            'Ahead of the machine’s clock',
            Math.abs(ahead) < 1_000 ? 'no' : `${ahead < 0 ? '-' : ''}${spanText(ahead)}`,
          ],
        ]}
      />
      <Notes error={change.error} done={change.done} />
      <button
        type="button"
        class="primary"
        disabled={change.isRunning}
        onClick={() => void change.run(!isFrozen)}
      >
        <Icon name={isFrozen ? 'play' : 'pause'} />
        {isFrozen ? 'Resume' : 'Freeze'}
      </button>
    </Card>
  )
}

function AdvanceCard(): JSX.Element {
  const [by, setBy] = useState('2h')
  const advance = useAction(async (duration: string) => {
    const { settled } = await advanceClock(duration)
    return settled
      ? `Advanced by ${duration}. Everything that became due is done.`
      : `Advanced by ${duration}. Some work that became due is not done yet; it goes on.`
  })
  return (
    <Card title="Advance">
      <p class="quiet">
        Stops whenever work becomes due until that work is done: scheduled posts, retries, checks.
      </p>
      <div class="row">
        {STEPS.map((step) => (
          <button
            key={step}
            type="button"
            disabled={advance.isRunning}
            onClick={() => void advance.run(step)}
          >
            +{step}
          </button>
        ))}
      </div>
      <form onSubmit={onSubmit(() => void advance.run(by.trim()))}>
        <Field
          label="Duration"
          value={by}
          onValue={setBy}
          required
          mono
          maxLength={60}
          hint="Amounts with the units ms, s, m, h and d, such as 2h or 1d12h."
        />
        <Notes error={advance.error} done={advance.done} />
        <button type="submit" class="primary" disabled={advance.isRunning}>
          {advance.isRunning ? 'Advancing …' : 'Advance'}
        </button>
      </form>
    </Card>
  )
}

function SetCard(): JSX.Element {
  const [time, setTime] = useState(() => timeText(plazaNow() ?? 0).replace(' ', 'T'))
  const set = useAction(async () => {
    if (time === '') throw new Error('Enter a time.')
    const { now } = await changeClock({ now: `${time.length === 16 ? `${time}:00` : time}Z` })
    return `The clock shows ${timeText(now)}.`
  })
  return (
    <Card title="Set">
      <p class="quiet">Work that becomes due is not waited for. A time in the past is rejected.</p>
      <form onSubmit={onSubmit(() => void set.run())}>
        <Field label="Time in UTC" type="datetime-local" step="1" value={time} onValue={setTime} required />
        <Notes error={set.error} done={set.done} />
        <button type="submit" class="primary" disabled={set.isRunning}>
          Set
        </button>
      </form>
    </Card>
  )
}
