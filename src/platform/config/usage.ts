import { option } from './option.ts'
import { limitOrOff, wholeNumber } from './readers.ts'

const MAX_CAP = 1_000_000_000_000

const cap = (flag: string, fallback: number, what: string) =>
  option({
    flag,
    takes: 'N|off',
    describe: `Maximum number of posts returned to ${what}. A post counts once per app and UTC day.`,
    fallback,
    read: limitOrOff(0, MAX_CAP),
  })

/** How many posts may be returned to apps. */
export const usageOptions = {
  usageDailyPerApp: cap('usage-daily-per-app', 500_000, 'one app in a UTC day'),
  usageMonthlyPerApp: cap('usage-monthly-per-app', 5_000_000, 'one app in a month'),
  usageDailyPerProject: cap(
    'usage-daily-per-project',
    1_000_000,
    'all apps of one owner together in a UTC day',
  ),
  usageMonthlyPerProject: cap(
    'usage-monthly-per-project',
    10_000_000,
    'all apps of one owner together in a month',
  ),
  usageResetDay: option({
    flag: 'usage-reset-day',
    takes: 'D',
    describe: 'Day of the month (UTC) on which the usage of a month begins.',
    fallback: 1,
    read: wholeNumber(1, 28),
  }),
} as const
