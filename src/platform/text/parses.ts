import { channel } from 'node:diagnostics_channel'

/** Receives the length of each text that is searched for entities. Tests count that texts are read once, when they are written. */
export const parses = channel('plaza.text.parses')
