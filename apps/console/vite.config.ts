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
            // What draws charts is asked for by the one screen that has some.
            { name: "libraries", test: /node_modules\/(?!uplot\/)/ },
            { name: "parts", test: /src\/(?:api|parts|session)\// },
          ],
        },
      },
    },
  },
})
