import { defineCollection } from "astro:content"
import { docsSchema } from "@astrojs/starlight/schema"
import { paperLoader } from "./loader.ts"

export const collections = { docs: defineCollection({ loader: paperLoader(), schema: docsSchema() }) }
