import { describe, expect, it } from "vitest"
import { addressBy, readAddress } from "./hosts.ts"

describe("the address of a database", () => {
  it("of one host stays as it is: the driver reads it", () => {
    const address = "postgresql://role:p%40ss@db.internal:5433/paraph?sslmode=require"
    expect(readAddress(address)).toEqual({ url: address, hosts: [] })
  })

  it("of several is one of the first for the driver, and the list of all", () => {
    expect(readAddress("postgresql://role:pass@one:5433,two,[2001:db8::1]:5434/paraph?x=1")).toEqual({
      url: "postgresql://role:pass@one:5433/paraph?x=1",
      hosts: [
        { host: "one", port: 5433 },
        { host: "two", port: 5432 },
        { host: "2001:db8::1", port: 5434 },
      ],
    })
  })

  it("can be said by one of them, with whatever else it says", () => {
    const address = "postgresql://role:pass@one:5433,two/paraph?sslmode=require"
    const by = (host: string) => addressBy(address, { host, port: 5434 })
    expect(by("two")).toBe("postgresql://role:pass@two:5434/paraph?sslmode=require")
    expect(by("2001:db8::1")).toBe("postgresql://role:pass@[2001:db8::1]:5434/paraph?sslmode=require")
  })

  it("is refused where a host cannot be read, without telling the password", () => {
    const wrong = () => readAddress("postgresql://role:secret@one,two:port/paraph")
    expect(wrong).toThrow("A host of the database's address cannot be read.")
    expect(wrong).not.toThrow(/secret/)
  })
})
