// Loaded before each test file, by the runner. Plain JavaScript, so that it costs nothing to speak
// of.
import hooks, { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { registerHooks } from 'node:module'
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'

// Threads of the program under test inherit the flags of this process, but run no tests.
if (isMainThread) {
  resolveSourcesAtOnce()
  await loadRunnerUntracked()
  endOnUncaughtErrors()
}

/**
 * The address of a source that another imports stands in the import: Node need not ask the disk
 * which file it is, nor a package which kind. A test that loads the whole server takes a tenth less
 * processor time for it.
 */
function resolveSourcesAtOnce() {
  registerHooks({
    resolve(specifier, context, next) {
      const isSource =
        specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.endsWith('.ts')
      if (!isSource) return next(specifier, context)
      return {
        url: new URL(specifier, context.parentURL).href,
        format: 'module-typescript',
        shortCircuit: true,
      }
    },
  })
}

/**
 * Node's test runner follows every promise and every resource of its process, to know which test an
 * uncaught error belongs to. Where clients and servers run in the process too, that takes 40 % of
 * its processor time. Here its hook is called for tests alone, by which hooks and nested tests find
 * the suite that they are declared in.
 */
async function loadRunnerUntracked() {
  const { createHook } = hooks
  hooks.createHook = ({ init }) =>
    createHook({
      trackPromises: false,
      init(id, type, triggerId, resource) {
        if (type === 'Test') init(id, type, triggerId, resource)
      },
    })
  // The first test of the process makes the hook, with the function that the runner finds now.
  await import('node:test')
  hooks.createHook = createHook
}

/**
 * What the runner no longer does: an error that nothing catches fails the file, and says in which
 * test it began. The file ends with it, since a test may wait for ever for what the error has
 * prevented.
 */
function endOnUncaughtErrors() {
  const current = new AsyncLocalStorage()
  channel('tracing:node.test:start').bindStore(current, (test) => test)
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => {
      const test = current.getStore()
      console.error(`${event}${test ? ` in "${test.name}"` : ''}: ${inspect(error)}`)
      process.exit(1)
    })
}
