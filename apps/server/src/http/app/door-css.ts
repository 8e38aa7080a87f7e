/** Where the style sheet of the server's own pages lives: the content security policy allows none inside a page. */
export const DOOR_CSS_PATH = "/app/door.css"

/** Ink on paper, system fonts, the scheme of the reader. The signing app uses the same colours (its app.css). */
export const DOOR_CSS = `:root {
  color-scheme: light dark;
  --paper: #f6f3ec; --sheet: #fffdf8; --line: #ddd6c6; --ink: #1b2a4a; --muted: #545d73;
  --accent: #1d3a86; --accent-strong: #142a63; --on-accent: #ffffff; --test: #ffe9a8; --on-test: #4d3800;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161f; --sheet: #1b2130; --line: #333c50; --ink: #e9ecf4; --muted: #a9b3c9;
    --accent: #a8c0ff; --accent-strong: #c9d8ff; --on-accent: #0e1730; --test: #3d3010; --on-test: #ffe29a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
}
.test { margin: 0; padding: .6rem 1rem; text-align: center; font-weight: 600; font-size: .9375rem; background: var(--test); color: var(--on-test); }
.mark, main, footer { width: 100%; max-width: 36rem; margin: 0 auto; padding: 0 1rem; }
.mark { padding-top: clamp(1rem, 6vh, 3.5rem); padding-bottom: 1rem; color: var(--accent); line-height: 0; }
.wordmark { max-width: 100%; height: auto; }
.logo {
  max-width: min(15rem, 60vw); max-height: 3.5rem; padding: .4rem .6rem; background: #ffffff; border: 1px solid var(--line);
  border-radius: 10px; object-fit: contain; color: #1b2a4a; font: 600 1rem/1.3 system-ui, sans-serif;
}
.ours { margin: 1.25rem 0 0; color: var(--muted); line-height: 0; }
.ours .wordmark { width: 76px; }
main { flex: 1 0 auto; }
.sheet {
  padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--sheet); border: 1px solid var(--line); border-radius: 14px;
  box-shadow: 0 1px 2px rgb(27 42 74 / .05), 0 12px 32px -16px rgb(27 42 74 / .22); overflow-wrap: anywhere;
}
h1 {
  margin: 0 0 1rem; font: 600 clamp(1.375rem, 1.1rem + 1.6vw, 1.75rem)/1.25 "Iowan Old Style", Palatino, "Palatino Linotype", Georgia, serif;
}
h1.long { font-size: 1.125rem; }
h1 .title { display: block; margin-top: .35rem; color: var(--accent); }
p { margin: 0 0 1rem; }
.muted { color: var(--muted); font-size: .9375rem; }
blockquote {
  margin: 0 0 1.25rem; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--accent); white-space: pre-line;
}
form { margin: 1.5rem 0 1rem; }
button {
  width: 100%; min-height: 3.25rem; padding: .75rem 1.5rem; border: 0; border-radius: 10px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); font: inherit; font-size: 1.125rem; font-weight: 600;
  transition: background-color .15s;
}
button:hover { background: var(--accent-strong); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.sheet > :last-child { margin-bottom: 0; }
.facts { color: var(--muted); }
footer { padding-top: 1.25rem; padding-bottom: 2rem; overflow-wrap: anywhere; }
.mark { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; }
nav { display: flex; margin: 0 -.5rem; line-height: 1.2; }
nav a {
  display: inline-flex; align-items: center; justify-content: center; min-width: 2.75rem; min-height: 2.75rem;
  border-radius: 8px; color: var(--muted); font-size: .9375rem; text-decoration: none;
}
nav a:hover { color: var(--ink); text-decoration: underline; text-underline-offset: .25em; }
nav a:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
nav a[aria-current] { color: var(--ink); font-weight: 700; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: .3em; }
@media (max-width: 22rem) { .wordmark { width: 100px; } }
@media (min-width: 30rem) { button { width: auto; min-width: 15rem; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { button { border: 2px solid ButtonText; } .test { border: 2px solid CanvasText; } }
`
