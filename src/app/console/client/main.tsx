import { render } from 'preact'
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso'
import { connection } from './api.ts'
import { ClockPage } from './pages/clock.tsx'
import { Overview } from './pages/overview.tsx'
import { SignaturePage } from './pages/signature.tsx'
import { NoAdminApi, SignIn } from './pages/sign-in.tsx'
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
  if (connection.value === 'signed out') return <SignIn />
  if (connection.value === 'absent') return <NoAdminApi />
  return (
    <Router>
      <Route path="/" component={Overview} />
      <Route path="/clock" component={ClockPage} />
      <Route path="/signature" component={SignaturePage} />
      <Route path={SIGN_IN_PATH} component={SignIn} />
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
