/** One line of a benchmark. */
export interface Figure {
  name: string
  unit: string
  plaza: number | undefined
  bare?: number | undefined
  ratio?: number | undefined
  target?: string
  pass?: boolean | undefined
}
