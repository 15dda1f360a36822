/** Whether an error means that memory is exhausted. */
export const isOutOfMemory = (error: Error) =>
  error instanceof RangeError && /allocation/i.test(error.message)
