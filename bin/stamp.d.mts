/** The file in `dist/` that holds the stamp of what the newest build was made of. */
export declare const STAMP: string
/** A text that differs when a source was edited, added or removed, or when something else was installed. */
export declare function stampOf(root: string): string
/** Whether the bundle of a clone is made of its sources as they are now. */
export declare function isCurrent(root: string): boolean
