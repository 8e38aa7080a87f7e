import { describe, expect, it } from "vitest"
import { bar, progress } from "./progress.ts"

function screenOf(isTTY: boolean) {
  const written: string[] = []
  return { written, isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 }
}

describe("the progress of long work", () => {
  it("is a bar on a terminal, written over, and gone at the end", () => {
    const screen = screenOf(true)
    const shown = progress("Uploading", 200, screen, () => 0)
    shown.show(50)
    shown.show(51)
    shown.show(200)
    shown.end()
    expect(screen.written).toHaveLength(3)
    expect(screen.written[0]).toContain("Uploading [#######.......................]  25 %")
    expect(screen.written[1]).toContain("100 %")
    expect(screen.written[2]).toBe("\r\u001b[K")
  })

  it("is nothing where a program reads", () => {
    const screen = screenOf(false)
    const shown = progress("Uploading", 200, screen)
    shown.show(50)
    shown.end()
    expect(screen.written).toEqual([])
  })

  it("is whole where there is nothing to do", () => {
    expect(bar(0, 0)).toContain("100 %")
  })
})
