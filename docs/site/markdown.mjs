// What the site does with Markdown beyond the generator: links between files of
// the repository, diagrams, names of files above blocks. Pages stay plain
// Markdown that reads well on a code host.
import { renderMermaidSVG } from 'beautiful-mermaid'
import { follow, toRepository } from './pages.mjs'

// Languages by the name that the highlighter knows. Those without one are plain
// text; the last three are of wire/PROTOCOL.md.
const languages = { golang: 'go', 'shell-session': 'console', rego: 'txt', values: 'txt', refused: 'txt', conversation: 'txt' }

export function configure(md) {
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false }) // main.go is no address

  // Comments are for who edits. All other HTML is text: see html in config.mjs.
  md.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replace(/^<!--[\s\S]*?-->\n*/gm, '')
  })
  md.core.ruler.after('inline', 'repository_links', (state) => {
    const page = toRepository(state.env.realPath ?? state.env.path)
    for (const token of state.tokens) {
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') child.attrSet('href', follow(page, child.attrGet('href')))
      }
    }
  })

  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, i, options, env, self) => {
    const info = tokens[i].info
    if (info.trim() === 'mermaid') return diagram(tokens[i].content)
    const file = info.match(/ file=(\S+)/)?.[1]
    const language = info.trim().split(' ')[0]
    tokens[i].info = languages[language] ?? language
    const block = fence(tokens, i, options, env, self)
    // Plain text with long lines is read; with short ones it is aligned.
    if (language === 'text' && /.{120}/.test(tokens[i].content)) return `<div class="prose">${block}</div>`
    return file ? `<div class="file" v-pre>${md.utils.escapeHtml(file)}</div>${block}` : block
  }

  // Indented blocks look like fenced ones.
  md.renderer.rules.code_block = (tokens, i, ...rest) => {
    tokens[i].info = 'txt'
    return md.renderer.rules.fence(tokens, i, ...rest)
  }

  // The generator compiles pages as templates, in which two braces mean code.
  const text = md.renderer.rules.text
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;')
}

// diagram draws at build time. The colours are those of the theme, so it is right
// in light and dark; the style that comes with it asks for a font of another host,
// and is replaced by theme/style.css.
function diagram(text) {
  const svg = renderMermaidSVG(text, { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true })
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/\n\s*\n/g, '\n')
    // Down to three quarters of its size it shrinks with the page, then it scrolls.
    .replace(/width="([\d.]+)" height="[\d.]+" style="/, (_, width) => `width="${width}" style="min-width:${Math.round(0.75 * width)}px;`)
  return `<div class="diagram" role="img" v-pre>${svg}</div>\n`
}
