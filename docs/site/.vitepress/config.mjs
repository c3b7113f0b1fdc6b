import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { configure } from '../markdown.mjs'
import { isPage, place, root, sidebar } from '../pages.mjs'

const here = resolve(root, 'docs/site')

// Pages lie outside of this directory, where node_modules is.
const dependencies = {
  name: 'dependencies-of-pages',
  enforce: 'pre',
  resolveId(name, importer, options) {
    if (!/^vue(\/|$)/.test(name) || !importer || importer.startsWith(here)) return
    return this.resolve(name, resolve(here, 'package.json'), { ...options, skipSelf: true })
  },
}

export default defineConfig({
  title: 'CodeMode',
  description: 'Many functions through three MCP tools, by small programs that run confined',
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', href: (process.env.SITE_BASE ?? '/') + 'icon.svg', type: 'image/svg+xml' }]],

  srcDir: root,
  srcExclude: ['**/node_modules/**', '**/testdata/**', '**/CHANGELOG.md'],
  rewrites: (file) => (isPage(file) ? place(file) : file),
  outDir: resolve(here, '.vitepress/dist'),
  cacheDir: resolve(here, '.vitepress/cache'),
  vite: {
    publicDir: resolve(here, 'public'),
    plugins: [dependencies],
  },
  ignoreDeadLinks: true, // pages.mjs follows every link, also to files that are no pages

  markdown: {
    html: false,
    config: configure,
  },
  themeConfig: {
    search: {
      provider: 'local',
      // Guides come before the reference, which holds every word many times.
      options: { miniSearch: { searchOptions: { boostDocument: (id) => (/^\/(reference|adr)\//.test(id) ? 0.3 : 1) } } },
    },
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    nav: [
      { text: 'Tutorial', link: '/tutorials/first-server' },
      { text: 'Cookbook', link: '/cookbook/' },
      { text: 'Security', link: '/explanation/security' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Source', link: 'https://github.com/codemode-go/codemode' },
    ],
    docFooter: { prev: false, next: false },
  },
})
