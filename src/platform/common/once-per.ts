/**
 * A function that computes its result once for each object, and remembers it as long as the object
 * exists.
 */
export function oncePer<Of extends object, Result>(compute: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, Result>()
  return (of) => {
    const before = known.get(of)
    if (before !== undefined) return before
    const result = compute(of)
    known.set(of, result)
    return result
  }
}
