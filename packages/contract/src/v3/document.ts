import { Type } from "typebox"
import * as answer from "../shared/document.ts"
import * as input from "../shared/document-input.ts"
import * as list from "../shared/list.ts"

/** Security, R09: what v3 does not know it refuses, in a body and in a query. */
const closed = { additionalProperties: false } as const

export const CreateBody = Type.Object(input.createMembers, closed)
export type CreateBody = Type.Static<typeof CreateBody>

export const AccessBody = Type.Object(input.accessMembers, closed)
export type AccessBody = Type.Static<typeof AccessBody>

export const WatermarkBody = Type.Object(input.watermarkMembers, closed)
export type WatermarkBody = Type.Static<typeof WatermarkBody>

export const ListQuery = Type.Object(list.listMembers, closed)
export type ListQuery = Type.Static<typeof ListQuery>

export const PageParams = Type.Object(input.pageParamsMembers, closed)
export type PageParams = Type.Static<typeof PageParams>

export const PageQuery = Type.Object(input.pageQueryMembers, closed)
export type PageQuery = Type.Static<typeof PageQuery>

export const readCreate = input.readCreate
export const readAccess = input.readAccess
export const readWatermark = input.readWatermark
export const readList = list.readList
export const readPage = input.readPage

export const Document = answer.Document
export type Document = answer.Document
export const DocumentContent = answer.DocumentContent
export type DocumentContent = answer.DocumentContent
export const writeDocument = answer.writeDocument
export const writeLinks = list.writeLinks
