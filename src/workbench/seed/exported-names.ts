/** The screen names of exported users by their ids. */
export type ExportedNames = ReadonlyMap<string, string>
