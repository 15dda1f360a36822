// Every endpoint of the admin API, in the order of their files.
export { advanceClock } from './clock/advance.ts'
export { getClock } from './clock/get.ts'
export { updateClock } from './clock/update.ts'
