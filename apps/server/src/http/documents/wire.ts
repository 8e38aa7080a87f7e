import type * as wire from "@paraph/contract/v2/document"

/** How one version speaks of documents; all of them have the same doors. */
export type DocumentWire = Pick<
  typeof wire,
  | "CreateBody"
  | "AccessBody"
  | "WatermarkBody"
  | "ListQuery"
  | "PageParams"
  | "PageQuery"
  | "Document"
  | "DocumentContent"
  | "readCreate"
  | "readAccess"
  | "readWatermark"
  | "readList"
  | "readPage"
  | "writeDocument"
  | "writeLinks"
>
