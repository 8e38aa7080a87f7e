import { homedir } from "node:os"
import { join } from "node:path"

/** What saves the next start its work; whoever removes it loses nothing else. Nobody else's folder: what lies there is run. */
export const cacheFolder = (name: string): string => join(homedir(), ".cache", "paraph", name)
