// Preloaded into a service that is measured: it appends no evidence. Nothing in the product can be told to do so.
import { registerHooks } from "node:module"

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.endsWith("/packages/store/src/postgres/evidence.ts")) return loaded
    const source = String(loaded.source)
    const without = source.replace("if (evidence.length === 0) return", "if (evidence.length >= 0) return")
    if (without === source) throw new Error("Evidence is appended in another way by now.")
    return { ...loaded, source: without }
  },
})
