import { lingui } from "@lingui/vite-plugin"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  base: "/console/",
  plugins: [react(), lingui(), tailwindcss()],
  build: {
    // Nothing is put into the page itself: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every screen needs is two files, not thirty: on a phone each request costs more than a kilobyte.
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules/ },
            { name: "parts", test: /src\/(?:api|parts|session)\// },
          ],
        },
      },
    },
  },
})
