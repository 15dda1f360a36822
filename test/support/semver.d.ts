/** The package has no types of its own; this is the part that the tests use. */
declare module 'semver' {
  const semver: { satisfies(version: string, range: string): boolean }
  export default semver
}
