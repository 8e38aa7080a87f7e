import { existsSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import type { Service } from "./service.ts"

/** The S3 server of the stack keeps an object as a file. */
export const objectFile = (service: Service, name: string): string =>
  join(inject("stackDir"), "s3/objects", service.env.S3_BUCKET ?? "", name)

export const isInBucket = (service: Service, name: string): boolean => existsSync(objectFile(service, name))

/** Under which name the bytes of a document lie; empty when it has no row. */
export const objectName = (service: Service, id: string): Promise<string> =>
  service.sql(`select blob_name from document where id = '${id}'`)

/** Of all businesses. */
export const documentCount = async (service: Service): Promise<number> =>
  Number(await service.sql("select count(*) from document"))

/** Objects that no document owns yet, or any more. */
export const looseNames = async (service: Service): Promise<readonly string[]> =>
  (await service.sql("select name from loose_blob order by name")).split("\n").filter((name) => name !== "")
