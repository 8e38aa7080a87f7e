import type { Service } from "./service.ts"

/**
 * The clock of the service can be moved by days; jobs that fail meanwhile are tried by the queue's own. So what waits is told that it
 * was tried as often as it would have been by then, had nobody moved the clock (choice 43).
 */
export const asIfTriedOften = ({ sql }: Service): Promise<string> =>
  sql("update jobs.job set retry_count = 70 where state < 'completed'")
