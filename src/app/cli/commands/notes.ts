import { HELPFUL_TAGS, HELPFULNESS, NOT_HELPFUL_TAGS, VIEWPOINTS } from '../../../domain/notes/ratings.ts'
import type { CommandDeclarations } from '../command.ts'
import { ADMIN } from '../settings.ts'

/** The API has no endpoints for readers of notes, so these commands stand in for readers. */
export const noteCommands: CommandDeclarations = {
  'note rate <NOTE>': {
    summary: 'Record how helpful a user finds a community note. A later rating replaces an earlier one.',
    details: `Tags: ${[...HELPFUL_TAGS, ...NOT_HELPFUL_TAGS].join(', ')}.\nPrints the status of the note after the rating.`,
    required: { '--user <SCREEN_NAME>': 'User who rates the note.' },
    flags: {
      '--as <WHAT>': `${HELPFULNESS.join(', ')}; helpful by default.`,
      '--viewpoint <WHICH>': `Viewpoint of the user: ${VIEWPOINTS.join(', ')}; neutral by default.`,
      '--tags <TAG,…>': 'Reasons for the rating.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../note.ts')).rate(call),
  },
  'note request <POST>': {
    summary: 'Record that a user wants a community note on a post.',
    required: { '--user <SCREEN_NAME>': 'User who requests the note.' },
    flags: {
      '--suggestion <TEXT>': 'What the note should say.',
      '--source-link <URL>': 'Page that supports it.',
    },
    settings: ADMIN,
    run: async (call) => (await import('../note.ts')).request(call),
  },
}
