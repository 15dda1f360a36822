/** What stays a dependency of the package. */
export declare const EXTERNAL: readonly string[]
/** Builds the bundle in `dist/`. */
export declare function bundle(): Promise<void>
