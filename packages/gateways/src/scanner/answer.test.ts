import { expect, it } from "vitest"
import { readVerdict, readVersion } from "./answer.ts"

it("takes one answer for clean, to the byte", () => {
  expect(readVerdict("stream: OK\0")).toEqual({ clean: true })
  for (const answer of [
    "stream: OK",
    "stream: OK\n",
    "stream: OK\0\0",
    "stream: OK\0stream: OK\0",
    " stream: OK\0",
    "stream: ok\0",
    "stream:  OK\0",
    "1: stream: OK\0",
    "stream: OK FOUND\n\0",
    "file: OK\0",
    "OK\0",
    "PONG\0",
    "HTTP/1.1 200 OK\r\n\r\nstream: OK\0",
    "UNKNOWN COMMAND\0",
    "COMMAND READ TIMED OUT\0",
    "\0",
    "\0stream: OK\0",
  ])
    expect(() => readVerdict(answer), JSON.stringify(answer)).toThrow(
      expect.objectContaining({ name: "ScannerFailed", code: "error" }),
    )
  expect(() => readVerdict("")).toThrow(expect.objectContaining({ code: "down" }))
})

it("names what was found", () => {
  const finding = "Win.Test.EICAR_HDB-1"
  expect(readVerdict(`stream: ${finding} FOUND\0`)).toEqual({ clean: false, finding })
  expect(readVerdict("stream: OK FOUND\0")).toEqual({ clean: false, finding: "OK" })
})

it("does not take what was not looked at for a finding", () => {
  const limit = expect.objectContaining({ code: "limit" })
  expect(() => readVerdict("stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0")).toThrow(limit)
  expect(() => readVerdict("stream: Heuristics.Limits.Exceeded FOUND\0")).toThrow(limit)
  expect(() => readVerdict("INSTREAM size limit exceeded. ERROR\0")).toThrow(limit)
  expect(() => readVerdict("stream: Heuristics.Limits.Exceeded.MaxScanTime FOUND\0")).toThrow(
    expect.objectContaining({ code: "timeout" }),
  )
})

it("reads how old the signatures are where clamd tells it", () => {
  expect(readVersion("ClamAV 1.4.6/27500/Sun Nov 15 07:30:00 2026\0")).toEqual({
    engine: "ClamAV 1.4.6",
    signaturesFrom: new Date("2026-11-15T07:30:00Z"),
  })
  expect(readVersion("ClamAV 1.4.6/27490/Thu Nov  5 07:30:00 2026\0").signaturesFrom).toEqual(
    new Date("2026-11-05T07:30:00Z"),
  )
  expect(readVersion("ClamAV 1.4.6\0")).toEqual({ engine: "ClamAV 1.4.6", signaturesFrom: null })
  expect(readVersion("ClamAV 1.4.6/1/yesterday\0")).toEqual({ engine: "ClamAV 1.4.6", signaturesFrom: null })
  expect(readVersion("COMMAND UNAVAILABLE\0")).toEqual({ engine: "clamd", signaturesFrom: null })
})
