import * as v2 from "../v2/document.ts"

/** Documents are the same in v1 as in v2 (part 2.5). */
export const CreateBody = v2.CreateBody
export type CreateBody = v2.CreateBody
export const AccessBody = v2.AccessBody
export type AccessBody = v2.AccessBody
export const WatermarkBody = v2.WatermarkBody
export type WatermarkBody = v2.WatermarkBody
export const ListQuery = v2.ListQuery
export type ListQuery = v2.ListQuery
export const PageParams = v2.PageParams
export type PageParams = v2.PageParams
export const PageQuery = v2.PageQuery
export type PageQuery = v2.PageQuery

export const readCreate = v2.readCreate
export const readAccess = v2.readAccess
export const readWatermark = v2.readWatermark
export const readList = v2.readList
export const readPage = v2.readPage

export const Document = v2.Document
export type Document = v2.Document
export const DocumentContent = v2.DocumentContent
export type DocumentContent = v2.DocumentContent
export const writeDocument = v2.writeDocument
export const writeLinks = v2.writeLinks
