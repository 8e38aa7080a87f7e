import { infiniteQueryOptions } from "@tanstack/react-query"
import { must } from "./client.ts"
import { cursorsIn } from "./link-header.ts"

type Page<T> = { readonly data?: readonly T[]; readonly error?: unknown; readonly response: Response }
type Asked = { readonly query: { readonly cursor?: string }; readonly signal: AbortSignal }

/** A list that grows: the newest first, and older pages as they are asked for. */
export const pages = <T>(queryKey: readonly unknown[], ask: (asked: Asked) => Promise<Page<T>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const answer = await ask({ query: cursor === null ? {} : { cursor }, signal })
      return { entries: must(answer), next: cursorsIn(answer.response.headers.get("link")).next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages: all }) => all.flatMap(({ entries }) => entries),
  })
