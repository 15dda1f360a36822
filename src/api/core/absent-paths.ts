/**
 * Paths that the platform has and Plaza has not, where the last word would be read as the id of a
 * resource. They are unknown paths: 404, instead of an error about an id.
 */
export const absentPaths: readonly string[] = []
