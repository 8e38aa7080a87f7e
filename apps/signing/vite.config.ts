import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  base: "/app/",
  plugins: [react(), tailwindcss()],
  build: {
    // Nothing is put into the page itself: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
