/** Whether the machine has no memory for it now. */
export const isOutOfMemory = (error: Error) =>
  error instanceof RangeError && /allocation/i.test(error.message)
