/** What stays a dependency of the package. */
export declare const EXTERNAL: readonly string[]
/** Builds the bundle in a folder of `dist/`. */
export declare function bundle(): Promise<void>
/** The folder of the newest build, as it is named in `dist/`. */
export declare function currentBuild(): string
