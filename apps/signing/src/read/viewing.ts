import { useCallback, useState } from "react"

export type Mode = "pictures" | "text" | "exact"

/** How a person reads: the pages as pictures, their words, or the PDF itself drawn in the browser. */
export type Viewing = {
  readonly mode: Mode
  readonly zoom: number
  readonly widthPx: number
  readonly page: number
  readonly exactFailed: boolean
  readonly onPage: (index: number) => void
  readonly onMode: (mode: Mode) => void
  readonly onZoom: (step: 1 | -1) => void
  readonly onExactFailed: () => void
}

const ZOOMS = [1, 1.5, 2, 3, 4]
/** Beyond this, a picture would only grow coarser. */
const PICTURE_ZOOM_MAX = 2
const READING_WIDTH_PX = 768

export function useViewing(): Viewing {
  const [mode, setMode] = useState<Mode>("pictures")
  const [zoom, setZoom] = useState(1)
  const [page, setPage] = useState(0)
  const [exactFailed, setExactFailed] = useState(false)
  const onPage = useCallback((index: number) => setPage(index), [])
  return {
    mode,
    zoom,
    page,
    exactFailed,
    onPage,
    widthPx: pictureWidthPx(zoom),
    onMode: (wanted) => {
      setMode(wanted)
      setExactFailed(false)
      if (wanted === "text") setZoom(1)
    },
    onZoom: (step) => {
      const next = ZOOMS[ZOOMS.indexOf(zoom) + step] ?? zoom
      setZoom(next)
      if (next > PICTURE_ZOOM_MAX && !exactFailed) setMode("exact")
      else if (mode === "text") setMode("pictures")
    },
    onExactFailed: () => {
      setExactFailed(true)
      setMode("pictures")
    },
  }
}

/** Leads the eye and the keyboard to a page. */
export function goToPage(index: number): void {
  document.querySelector(`[data-page="${index}"]`)?.scrollIntoView({ block: "start" })
}

/** As many pixels as the page has room for, and no more than an eye tells apart. */
export const pictureWidthPx = (zoom: number): number =>
  Math.ceil(Math.min(innerWidth, READING_WIDTH_PX) * Math.min(devicePixelRatio, 2) * zoom)
