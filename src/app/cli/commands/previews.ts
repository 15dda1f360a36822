import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** Plaza reads no web pages, so these commands say what they contain. */
export const previewCommands: CommandDeclarations = {
  'preview set <URL>': {
    summary: 'Set the preview that new posts show with links to a web page.',
    flags: {
      '--title <TEXT>': 'Title of the page.',
      '--description <TEXT>': 'Description of the page.',
      '--unwound-url <URL>': 'Where the link leads in the end.',
      '--status <CODE>': 'Status with which the page answers, such as 200.',
      '--image <URL>': 'Image of the page.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../preview.ts')).set(call),
  },
  'preview list': {
    summary: 'List the previews of web pages, by URL.',
    json: 'lines',
    settings: ADMIN,
    run: async (call) => (await import('../preview.ts')).list(call),
  },
  'preview remove <URL>': {
    summary: 'Remove the preview of a web page. Posts that were written with it keep it.',
    settings: ADMIN,
    run: async (call) => (await import('../preview.ts')).remove(call),
  },
}
