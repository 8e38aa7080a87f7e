import { useLingui } from "@lingui/react"
import { Button } from "./button.tsx"

type OlderProps = {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The way to what is further back, where there is something. */
export function Older({ list }: OlderProps) {
  const { i18n } = useLingui()
  if (!list.hasNextPage) return null
  return (
    <Button className="mt-4" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      {i18n._("Show older ones")}
    </Button>
  )
}
