import { createServer } from "node:net"
import { S3ServiceException } from "@aws-sdk/client-s3"
import pg from "pg"
import { expect, it } from "vitest"
import { BucketLied, NameTaken, ObjectMissing, RangeOutside } from "./blobs/bucket.ts"
import { isPartDown } from "./part-down.ts"

const fromS3 = (name: string, httpStatusCode: number) =>
  new S3ServiceException({ name, $fault: "server", $metadata: { httpStatusCode } })
const withCode = (code: string) => Object.assign(new Error("…"), { code })

it.each([
  fromS3("InternalError", 500),
  fromS3("SlowDown", 503),
  fromS3("NoSpaceLeftOnDevice", 507),
  // Stores say these with a status below 500.
  fromS3("SlowDown", 429),
  fromS3("RequestTimeout", 400),
  fromS3("BadDigest", 400),
  fromS3("IncompleteBody", 400),
  fromS3("OperationAborted", 409),
  Object.assign(new Error("Silence."), { name: "TimeoutError" }),
  new BucketLied("200, but lost"),
  ..."ECONNREFUSED ECONNRESET EPIPE ENOTFOUND ENOSPC EMFILE".split(" ").map(withCode),
  // PostgreSQL: starting up, shutting down, too many connections, a statement that took too long.
  ..."57P03 57P01 53300 57014 08006".split(" ").map(withCode),
  new Error("Connection terminated unexpectedly"),
])("a part is down: %o", (error) => {
  expect(isPartDown(error)).toBe(true)
  expect(isPartDown(new Error("Something failed.", { cause: new Error("Inside.", { cause: error }) }))).toBe(
    true,
  )
})

it.each([
  fromS3("AccessDenied", 403),
  fromS3("SignatureDoesNotMatch", 403),
  fromS3("InvalidAccessKeyId", 403),
  fromS3("NoSuchBucket", 404),
  new NameTaken("documents/ab"),
  new ObjectMissing("documents/ab"),
  new RangeOutside("documents/ab"),
  // A unique key, a check, a syntax error.
  ..."23505 23514 42601 ENOENT EACCES".split(" ").map(withCode),
  new Error("A fault."),
  "ECONNREFUSED",
  undefined,
])("is a fault of ours: %o", (error) => {
  expect(isPartDown(error)).toBe(false)
})

it("knows what the driver of PostgreSQL says of a server that is not there, and of one that hangs up", async () => {
  const server = createServer((socket) => socket.destroy())
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))
  })
  const connect = () =>
    new pg.Client({ host: "127.0.0.1", port, user: "x", database: "x" }).connect().then(
      () => undefined,
      (error: unknown) => error,
    )
  expect(isPartDown(await connect())).toBe(true)
  await new Promise((resolve) => server.close(resolve))
  expect(isPartDown(await connect())).toBe(true)
})
