import { useEffect } from "react"

/** A file that falls beside the zone is taken all the same: the browser would leave the page to show it. Null: it is not taken. */
export function useDropAnywhere(onFile: ((file: File) => void) | null): void {
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      // The zone has had it.
      if (event.defaultPrevented) return
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) onFile?.(file)
    }
    window.addEventListener("dragover", allow)
    window.addEventListener("drop", drop)
    return () => {
      window.removeEventListener("dragover", allow)
      window.removeEventListener("drop", drop)
    }
  }, [onFile])
}
