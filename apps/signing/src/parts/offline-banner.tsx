import { useSyncExternalStore } from "react"
import { say } from "../words.ts"

export function OfflineBanner({ onRetry }: { readonly onRetry: () => void }) {
  const online = useSyncExternalStore(watchConnection, () => navigator.onLine)
  return (
    <div role="status" className="sticky top-0 z-30">
      {!online && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 bg-(--ink) px-4 py-2 text-(--paper)">
          <p>{say("offline")}</p>
          <button type="button" className="button border border-(--paper)" onClick={onRetry}>
            {say("try-again")}
          </button>
        </div>
      )}
    </div>
  )
}

function watchConnection(changed: () => void): () => void {
  addEventListener("online", changed)
  addEventListener("offline", changed)
  return () => {
    removeEventListener("online", changed)
    removeEventListener("offline", changed)
  }
}
