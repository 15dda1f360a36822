/** Calls `run` every so often while the page is visible. Returns a function that ends it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') run()
  }, ms)
  return () => clearInterval(timer)
}

/** Calls `run` once, later. Returns a function that prevents it. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
