// Bundles the console's application: one script and one style sheet, named after their contents.
// Runs in a build, and in Plaza itself where it runs from its sources.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const client = join(root, 'src', 'app', 'console', 'client')
const modules = join(root, 'node_modules')
const STYLES = [join(modules, 'uplot', 'dist', 'uPlot.min.css'), join(client, 'style.css')]

/**
 * Resolves to the names and texts of both files, and to what the script was made of.
 * @throws Error when the bundler is not installed, or when a source is wrong
 */
export async function bundleClient() {
  const { rolldown } = await import('rolldown')
  const built = await rolldown({
    cwd: root,
    input: join(client, 'main.tsx'),
    platform: 'browser',
    transform: { target: 'es2023' },
    onLog: (level, log) => {
      if (level === 'warn' && !log.id?.includes('node_modules')) throw new Error(log.message)
    },
  })
  const { output } = await built.generate({ format: 'es', minify: true, comments: false })
  await built.close()
  const [{ code }] = output
  const style = STYLES.map((file) => readFileSync(file, 'utf8')).join('\n')
  return {
    script: { name: nameOf(code, 'js'), text: code },
    style: { name: nameOf(style, 'css'), text: style },
    output,
  }
}

const nameOf = (text, ending) =>
  `console-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`
