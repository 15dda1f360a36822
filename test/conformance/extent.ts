/**
 * All derived tests, or only those that depend on the endpoint and reach its access checks or its
 * storage.
 */
export type Extent = 'all' | 'stored'
