#!/usr/bin/env node
// The sandbox reads two thousand modules, and Node keeps what it made of them for the next start; of those that are read before it is
// told so, it keeps nothing. Who types another command has nothing written into their home.
import { enableCompileCache } from "node:module"
import { cacheFolder } from "./sandbox/cache-folder.ts"

if (process.argv[2] === "sandbox") enableCompileCache(cacheFolder("code"))
await import("./run.ts")
