// PDFium reads a document by ranges too, so the largest one takes no more memory than the page that is drawn.

import { PDFiumDocument, PDFiumModule } from "@hyzyla/pdfium"
import { PdfRefused } from "@paraph/pades/refused"
import type { Source } from "@paraph/pades/source"

export type Module = Awaited<ReturnType<typeof PDFiumModule>>

/** What the module has, and its types do not name (fpdfview.h). */
type ByRanges = Module & {
  readonly _FPDF_LoadCustomDocument: (fileAccess: number, password: number) => number
  readonly wasmExports: {
    readonly __indirect_function_table: { readonly set: (index: number, value: unknown) => void }
  }
}

// The compiler knows it only together with a browser, which is not here.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly "": unknown } }
}

export type Pdfium = { readonly open: (source: Source) => PDFiumDocument; readonly module: Module }

export async function startPdfium(): Promise<Pdfium> {
  const module = (await PDFiumModule({})) as ByRanges
  // No object reaches C: this is the null pointer, which stands for the defaults.
  module._FPDF_InitLibraryWithConfig({})
  const sources: Source[] = []
  readBlocksOf(module, sources)
  return { open: (source) => open(module, source, sources), module }
}

// Of FPDF_GetLastError: a password is needed, or a way of encryption that PDFium does not know.
const ENCRYPTED = [4, 5]

function open(module: ByRanges, source: Source, sources: Source[]): PDFiumDocument {
  sources.push(source)
  const fileAccess = fileAccessTo(module, source.length, sources.length - 1)
  const document = module._FPDF_LoadCustomDocument(fileAccess, 0)
  if (document !== 0) return new PDFiumDocument({ module, documentIdx: document, documentPtr: fileAccess })
  const code = ENCRYPTED.includes(module._FPDF_GetLastError()) ? "encrypted" : "corrupt"
  throw new PdfRefused(code, "The PDF cannot be opened for drawing.")
}

// The table of functions cannot grow; its first place is the null pointer, where no function of PDFium ever stands.
const GET_BLOCK = 0

/** One function for all documents that are open: the parameter says which of them is read. */
function readBlocksOf(module: ByRanges, sources: readonly Source[]): void {
  module.wasmExports.__indirect_function_table.set(
    GET_BLOCK,
    asFunctionOfC((which, position, buffer, size) => {
      const bytes = sources[which]?.read(position >>> 0, (position >>> 0) + (size >>> 0))
      if (bytes?.length !== size >>> 0) return 0
      module.HEAPU8.set(bytes, buffer >>> 0)
      return 1
    }),
  )
}

/** The structure FPDF_FILEACCESS: the length, the function that gets a block, and a parameter for it. */
function fileAccessTo(module: ByRanges, length: number, which: number): number {
  const address = module.wasmExports.malloc(12)
  const structure = new DataView(module.HEAPU8.buffer, address, 12)
  for (const [index, value] of [length, GET_BLOCK, which].entries())
    structure.setUint32(4 * index, value, true)
  return address
}

type GetBlock = (which: number, position: number, buffer: number, size: number) => number

/** A table takes functions of WebAssembly only: so one goes in as an import of the smallest module, and out as its export. */
function asFunctionOfC(getBlock: GetBlock): unknown {
  return new WebAssembly.Instance(new WebAssembly.Module(PASSING_ON), { "": { "": getBlock } }).exports[""]
}

// (module (import "" "" (func (param i32 i32 i32 i32) (result i32))) (export "" (func 0)))
const PASSING_ON = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x09, 0x01, 0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x05, 0x01, 0x00, 0x00, 0x00, 0x00],
  ...[0x07, 0x04, 0x01, 0x00, 0x00, 0x00],
)
