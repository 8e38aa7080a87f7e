import { Type } from "typebox"
import * as answer from "../shared/document.ts"
import * as input from "../shared/document-input.ts"
import * as list from "../shared/list.ts"

/** Part 4.2 and decisions, "documents". Unknown members are ignored (choice 8). */
export const CreateBody = Type.Object(input.createMembers)
export type CreateBody = Type.Static<typeof CreateBody>

export const AccessBody = Type.Object(input.accessMembers)
export type AccessBody = Type.Static<typeof AccessBody>

export const WatermarkBody = Type.Object(input.watermarkMembers)
export type WatermarkBody = Type.Static<typeof WatermarkBody>

export const ListQuery = Type.Object(list.listMembers)
export type ListQuery = Type.Static<typeof ListQuery>

export const PageParams = Type.Object(input.pageParamsMembers)
export type PageParams = Type.Static<typeof PageParams>

export const PageQuery = Type.Object(input.pageQueryMembers)
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
