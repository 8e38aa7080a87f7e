import { cpSync, existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { lingui } from "@lingui/vite-plugin"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const PAGES = ["index.html", "account.html"].map((name) => resolve(import.meta.dirname, name))

export default defineConfig({
  base: "/app/",
  plugins: [
    react(),
    tailwindcss(),
    lingui({ cwd: import.meta.dirname, failOnMissing: true, failOnCompileError: true }),
    filesOfPdfJs(),
  ],
  build: {
    // Nothing is put into the page itself: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: PAGES.filter((page) => existsSync(page)),
      output: {
        // The server finds the words of a language by their name, for the browser to have them before the app asks.
        chunkFileNames: ({ facadeModuleId }) =>
          /src\/locales\/\w+\.po/.test(facadeModuleId ?? "")
            ? "assets/words.[name]-[hash].js"
            : "assets/[name]-[hash].js",
      },
    },
  },
})

/** What pdf.js fetches by itself for a PDF that needs it: fonts that the PDF does not carry, tables of characters. */
function filesOfPdfJs(): Plugin {
  const from = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")))
  return {
    name: "files-of-pdf-js",
    apply: "build",
    writeBundle({ dir }) {
      for (const folder of ["standard_fonts", "cmaps"])
        cpSync(resolve(from, folder), resolve(dir ?? "", "pdfjs", folder), { recursive: true })
      for (const file of ["openjpeg_nowasm_fallback.js", "jbig2_nowasm_fallback.js"])
        if (existsSync(resolve(from, "wasm", file)))
          cpSync(resolve(from, "wasm", file), resolve(dir ?? "", "pdfjs/wasm", file))
    },
  }
}
