import { QueryClient } from "@tanstack/react-query"
import { ProblemError } from "./problem.ts"

/** A refusal stays one however often it is asked; an outage may pass. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && !(error instanceof ProblemError && (error.problem.status ?? 500) < 500),
    },
  },
})
