import type { ComponentChildren, JSX } from 'preact'
import { bytesText, compactText, durationText, numberText, spanText } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { Facts } from '../parts/code.tsx'
import { Card, Empty, Loading, Page } from '../parts/page.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useAdmin } from '../resource.ts'
import {
  bucketsOf,
  latest,
  type Measurements,
  quantileMs,
  type RouteMeasurement,
  type Sample,
  samples,
} from '../samples.ts'

/** The last minute. */
const RECENT = 30

/** Health, rates, latencies, errors, streams, deliveries and lag. */
export function Overview(): JSX.Element {
  const reading = latest.value
  return (
    <Page title="Overview" about="This node since it started. Charts have the last ten minutes.">
      {reading ? <Readings reading={reading} /> : <Loading />}
    </Page>
  )
}

function Readings({ reading }: { reading: Measurements }): JSX.Element {
  const past = samples.value
  const times = past.map(({ at }) => at)
  const of = (name: keyof Sample) => past.map((sample) => sample[name])
  const rate = (value: number) =>
    `${value >= 100 ? compactText(value) : value.toFixed(value >= 10 ? 0 : 1)}/s`
  return (
    <>
      <Health reading={reading} />
      {reading.routes.every(({ host }) => host === 'console') && <Beginning />}
      <Tiles reading={reading} past={past} />
      <div class="grid charts">
        <Card>
          <Chart
            title="Requests"
            times={times}
            format={rate}
            least={2}
            series={[
              { label: '2xx, 3xx', color: '--chart-1', values: of('good') },
              { label: '4xx', color: '--chart-2', values: of('refused') },
              { label: '5xx', color: '--chart-3', values: of('failed') },
            ]}
          />
        </Card>
        <Card>
          <Chart
            title="Latency"
            times={times}
            format={durationText}
            least={1}
            series={[
              { label: 'Median', color: '--chart-1', values: of('median') },
              { label: '95 %', color: '--chart-2', values: of('p95') },
            ]}
          />
        </Card>
        <Card>
          <Chart
            title="Streams and deliveries"
            times={times}
            format={compactText}
            least={5}
            series={[
              { label: 'Open streams', color: '--chart-1', values: of('streams') },
              { label: 'Pending deliveries', color: '--chart-2', values: of('pending') },
              { label: 'Events behind', color: '--chart-3', values: of('lag') },
            ]}
          />
        </Card>
        <Card>
          <Chart
            title="Processor"
            times={times}
            format={(value) => `${Math.round(value)} %`}
            least={20}
            series={[{ label: 'Share of a core', color: '--chart-1', values: of('cpu') }]}
          />
        </Card>
      </div>
      <Routes routes={reading.routes} />
      <div class="grid">
        <Deliveries reading={reading} />
        <Consumers reading={reading} />
        <ProcessCard reading={reading} />
      </div>
    </>
  )
}

/** What a first visitor sees: nothing was called yet. */
function Beginning(): JSX.Element {
  const { data } = useAdmin<{ data: { urls: { core: string; ads: string } } }>('/status')
  const urls = data?.data.urls
  return (
    <Card title="Where to begin">
      <ol class="steps">
        <li>
          <strong>Send a request.</strong>
          <span>
            The <a href="/explorer/core/getOwnUser">explorer</a> signs it for you. Or point your client at{' '}
            <code>{urls?.core}</code>, or <code>{urls?.ads}</code> for advertising, and let it trust{' '}
            <a href="/ca.pem" target="_self">
              the certificate authority
            </a>
            .
          </span>
        </li>
        <li>
          <strong>See what happened.</strong>
          <span>
            The <a href="/journal">journal</a> has every request with its reply, and says why one was
            rejected.
          </span>
        </li>
        <li>
          <strong>Steer it.</strong>
          <span>
            Advance the <a href="/clock">clock</a>, make requests <a href="/faults">fail</a>, save and restore{' '}
            <a href="/snapshots">all data</a>.
          </span>
        </li>
      </ol>
    </Card>
  )
}

function Health({ reading: { ready } }: { reading: Measurements }): JSX.Element {
  return (
    <>
      {!ready.ready && (
        <p class="note bad" role="alert">
          Not ready: {ready.reason}
        </p>
      )}
      {ready.warnings.map((warning) => (
        <p key={warning} class="note warn" role="alert">
          {warning}
        </p>
      ))}
    </>
  )
}

function Tiles({ reading, past }: { reading: Measurements; past: readonly Sample[] }): JSX.Element {
  const recent = past.slice(-RECENT)
  const mean = (value: (sample: Sample) => number) =>
    recent.length === 0 ? 0 : recent.reduce((sum, sample) => sum + value(sample), 0) / recent.length
  const all = mean(({ good, refused, failed }) => good + refused + failed)
  const errors = mean(({ refused, failed }) => refused + failed)
  const p95 = past.findLast((sample) => sample.p95 !== null)?.p95
  const failed = reading.deliveries.last_hour.find(({ state }) => state === 'failed')?.count ?? 0
  const lag = reading.consumers.reduce((most, { events }) => Math.max(most, events), 0)
  return (
    <ul class="tiles" aria-label="Now">
      <Tile
        name="Health"
        value={reading.ready.ready ? 'Ready' : 'Not ready'}
        kind={reading.ready.ready ? 'good' : 'bad'}
      >
        up for {spanText(reading.uptime_seconds * 1_000)}
      </Tile>
      <Tile name="Requests" value={`${all.toFixed(all >= 10 ? 0 : 1)}/s`}>
        in the last minute
      </Tile>
      <Tile name="Latency" value={p95 === undefined || p95 === null ? '–' : durationText(p95)}>
        95 % are faster
      </Tile>
      <Tile
        name="Errors"
        value={all === 0 ? '0 %' : `${((errors / all) * 100).toFixed(1)} %`}
        kind={errors > 0 ? 'warn' : ''}
      >
        4xx and 5xx, last minute
      </Tile>
      <Tile name="Streams" value={numberText(reading.stream_connections)}>
        open now
      </Tile>
      <Tile name="Deliveries" value={numberText(reading.deliveries.pending)} kind={failed > 0 ? 'bad' : ''}>
        pending; {numberText(failed)} failed in the last hour
      </Tile>
      <Tile name="Lag" value={numberText(lag)} kind={lag > 100 ? 'warn' : ''}>
        events behind at most
      </Tile>
    </ul>
  )
}

interface TileProps {
  readonly name: string
  readonly value: string
  readonly kind?: '' | 'good' | 'warn' | 'bad'
  readonly children: ComponentChildren
}

const Tile = ({ name, value, kind = '', children }: TileProps) => (
  <li class="tile">
    <span class="quiet">{name}</span>
    <strong class={kind}>{value}</strong>
    <span class="hint">{children}</span>
  </li>
)

const totalOf = ({ replies }: RouteMeasurement, isCounted: (status: number) => boolean = () => true) =>
  replies.reduce((sum, { status, count }) => sum + (isCounted(status) ? count : 0), 0)

const p95Of = (route: RouteMeasurement) => quantileMs(bucketsOf(route), 0.95) ?? 0
const meanOf = (route: RouteMeasurement) => (route.duration_seconds / Math.max(1, totalOf(route))) * 1_000

const ROUTE_COLUMNS: readonly Column<RouteMeasurement>[] = [
  {
    title: 'Endpoint',
    cell: ({ route }) => (route === '' ? <span class="quiet">none matched</span> : <code>{route}</code>),
    sortBy: ({ route }) => route,
  },
  { title: 'Listener', cell: ({ host }) => host, sortBy: ({ host }) => host },
  { title: 'Requests', cell: (one) => numberText(totalOf(one)), sortBy: totalOf, isNumber: true },
  {
    title: '4xx',
    cell: (one) => numberText(totalOf(one, (status) => status >= 400 && status < 500)),
    sortBy: (one) => totalOf(one, (status) => status >= 400 && status < 500),
    isNumber: true,
  },
  {
    title: '5xx',
    cell: (one) => numberText(totalOf(one, (status) => status >= 500)),
    sortBy: (one) => totalOf(one, (status) => status >= 500),
    isNumber: true,
  },
  { title: 'Mean', cell: (one) => durationText(meanOf(one)), sortBy: meanOf, isNumber: true },
  { title: '95 %', cell: (one) => durationText(p95Of(one)), sortBy: p95Of, isNumber: true },
]

function Routes({ routes }: { routes: readonly RouteMeasurement[] }): JSX.Element {
  const shown = routes.filter(({ host }) => host !== 'console')
  return (
    <Card title="Endpoints" class="flush">
      {shown.length === 0 ? (
        <Empty>No request has arrived since the start.</Empty>
      ) : (
        <Table
          label="Requests by endpoint"
          rows={shown}
          columns={ROUTE_COLUMNS}
          keyOf={({ host, route }) => `${host} ${route}`}
          sortedBy={2}
        />
      )}
    </Card>
  )
}

const Deliveries = ({ reading: { deliveries } }: { reading: Measurements }) => (
  <Card title="Deliveries in the last hour">
    {deliveries.last_hour.length === 0 ? (
      <Empty>None has ended.</Empty>
    ) : (
      <Facts of={deliveries.last_hour.map(({ state, count }) => [state, numberText(count)] as const)} />
    )}
  </Card>
)

const Consumers = ({ reading: { consumers } }: { reading: Measurements }) => (
  <Card title="Consumers of the event log">
    <Facts
      of={consumers.map(
        ({ consumer, events, seconds }) =>
          [
            consumer,
            events === 0
              ? 'up to date'
              : `${numberText(events)} events behind, the oldest for ${spanText(seconds * 1_000)}`,
          ] as const,
      )}
    />
  </Card>
)

const ProcessCard = ({ reading }: { reading: Measurements }) => (
  <Card title="Process">
    <Facts
      of={[
        ['Version', reading.version],
        ['Up for', spanText(reading.uptime_seconds * 1_000)],
        ['Memory', bytesText(reading.memory_bytes)],
        ['Processor time', spanText(reading.cpu_seconds * 1_000)],
        ['Waiting tasks', numberText(countOf(reading, 'waiting'))],
        ['Dead tasks', numberText(countOf(reading, 'dead'))],
      ]}
    />
  </Card>
)

const countOf = ({ tasks }: Measurements, wanted: string) =>
  tasks.reduce((sum, { state, count }) => sum + (state === wanted ? count : 0), 0)
