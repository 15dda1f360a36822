import { render } from 'preact'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { connection } from './api.ts'
import { ClockPage } from './pages/clock.tsx'
import { Explorer } from './pages/explorer/explorer.tsx'
import { Journal } from './pages/journal/journal.tsx'
import { Overview } from './pages/overview.tsx'
import { NoAdminApi, SignIn } from './pages/sign-in.tsx'
import { SignaturePage } from './pages/signature.tsx'
import { Empty, Page } from './parts/page.tsx'
import { sampleMetrics } from './samples.ts'
import { SIGN_IN_PATH, watch } from './session.ts'
import { Shell } from './shell.tsx'
import { followTheme } from './theme.ts'

const NotFound = () => (
  <Page title="Not found">
    <Empty>There is no such page.</Empty>
  </Page>
)

function Pages() {
  const { path } = useLocation()
  // The same component whether a link leads here or a call was rejected, so that it keeps its state.
  if (connection.value === 'signed out' || path === SIGN_IN_PATH) return <SignIn />
  if (connection.value === 'absent') return <NoAdminApi />
  return (
    <Router>
      <Route path="/" component={Overview} />
      <Route path="/clock" component={ClockPage} />
      <Route path="/explorer/:api?/:id?" component={Explorer} />
      <Route path="/journal/:id?" component={Journal} />
      <Route path="/signature" component={SignaturePage} />
      <Route default component={NotFound} />
    </Router>
  )
}

const App = () => (
  <LocationProvider>
    <ErrorBoundary>
      <Shell>
        <Pages />
      </Shell>
    </ErrorBoundary>
  </LocationProvider>
)

followTheme()
void watch()
sampleMetrics()
render(<App />, document.body)
