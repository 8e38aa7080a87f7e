import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import worker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { useEffect, useRef, useState } from "react"
import { contentAddress } from "../api.ts"
import type { ExactPagesProps } from "../read/exact.tsx"
import { PageFrame, useNear } from "../read/page-frame.tsx"
import { say } from "../words.ts"

GlobalWorkerOptions.workerSrc = worker

/** iOS gives a canvas no more than this many pixels. */
const MAX_PIXELS = 16_000_000

/** The PDF itself, drawn by pdf.js in this browser from the very bytes that will be signed. */
export function DrawnPages({ document, alone, zoom, over, onTap, onFailed }: ExactPagesProps) {
  const pdf = usePdf(document.id, onFailed)
  return Array.from({ length: document.pageCount }, (_, index) => (
    <PageFrame
      // biome-ignore lint/suspicious/noArrayIndexKey: pages neither come nor go
      key={index}
      document={document}
      index={index}
      alone={alone}
      busy={pdf === null}
      onPointerDown={onTap(index)}
    >
      {pdf !== null && <DrawnPage key={zoom} pdf={pdf} index={index} title={document.title} />}
      {over(index)}
    </PageFrame>
  ))
}

function usePdf(id: string, onFailed: () => void): PDFDocumentProxy | null {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null)
  const failed = useRef(onFailed)
  failed.current = onFailed
  useEffect(() => {
    const base = new URL("pdfjs/", new URL(import.meta.env.BASE_URL, location.href)).href
    const task = getDocument({
      url: contentAddress(id),
      // Nothing of a document runs here, and the policy of the page would not let it: no forms, no WebAssembly.
      enableXfa: false,
      useWasm: false,
      wasmUrl: `${base}wasm/`,
      standardFontDataUrl: `${base}standard_fonts/`,
      // Where the PDF brings no font along, one of the same widths; what this machine has instead may be wider, and runs together.
      useSystemFonts: false,
      cMapUrl: `${base}cmaps/`,
    })
    task.promise.then(setPdf, () => failed.current())
    return () => void task.destroy()
  }, [id])
  return pdf
}

type DrawnPageProps = {
  readonly pdf: PDFDocumentProxy
  readonly index: number
  readonly title: string
}

function DrawnPage({ pdf, index, title }: DrawnPageProps) {
  const [near, watch] = useNear()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const target = canvas.current
    if (!near || target === null) return
    let current = true
    let stop = (): void => undefined
    void pdf.getPage(index + 1).then((page) => {
      if (!current) return
      const natural = page.getViewport({ scale: 1 })
      const wanted = (target.clientWidth * devicePixelRatio) / natural.width
      const most = Math.sqrt(MAX_PIXELS / (natural.width * natural.height))
      const viewport = page.getViewport({ scale: Math.min(wanted, most) })
      target.width = Math.floor(viewport.width)
      target.height = Math.floor(viewport.height)
      const task = page.render({ canvas: target, viewport })
      stop = () => task.cancel()
      task.promise.catch(() => undefined)
    })
    return () => {
      current = false
      stop()
    }
  }, [pdf, index, near])
  return (
    <div ref={watch} className="absolute inset-0">
      <canvas
        ref={canvas}
        role="img"
        aria-label={say("read.page-alt", { number: index + 1, title })}
        className="size-full"
      />
    </div>
  )
}
