// Which Markdown files of the repository are pages, where they are on the site,
// and what the sidebar shows. Pages are read where they lie: nothing is copied.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

// Files that are no pages are linked at the code host.
const source = 'https://github.com/codemode-go/codemode/blob/main/'

const modules = ['search', 'binding', 'wire', 'sandbox', 'authz', 'rego', 'codemode', 'mcpserver', 'tools']

// place is where a file of the repository is on the site: docs/ is its root.
export function place(file) {
  if (file === 'README.md') return 'overview.md'
  return file.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}

export function isPage(file) {
  if (!file.endsWith('.md') || /(^|\/)(node_modules|testdata|CHANGELOG\.md)(\/|$)/.test(file)) return false
  return /^[A-Z]+\.md$/.test(file) || file.startsWith('docs/') || modules.some((m) => file.startsWith(m + '/'))
}

// follow turns a relative link on a page into one of the site, or of the code
// host. A link that leads nowhere ends the build.
export function follow(page, href) {
  if (/^[a-z]+:|^#|^\//.test(href)) return href
  const [path, fragment] = href.split('#')
  let target = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '')
  const file = join(root, target)
  if (!existsSync(file)) throw new Error(`${page}: link ${href} leads nowhere`)
  if (statSync(file).isDirectory() && existsSync(join(file, 'README.md'))) target += '/README.md'
  const url = isPage(target) ? '/' + place(target) : source + target
  return fragment ? `${url}#${fragment}` : url
}

function title(file) {
  return readFileSync(join(root, file), 'utf8').match(/^# +(.+)$/m)?.[1].replaceAll('`', '') ?? file
}

function item(file, text = title(file)) {
  return { text, link: '/' + place(file).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '') }
}

// below lists the pages of a directory, the named ones first, all others
// behind them by name.
function below(dir, first = []) {
  const rest = readdirSync(join(root, dir)).filter((name) => name.endsWith('.md') && name !== 'README.md').sort()
  const names = [...first, ...rest.map((name) => name.slice(0, -3)).filter((name) => !first.includes(name))]
  return names.map((name) => item(`${dir}/${name}.md`))
}

export function sidebar() {
  return [
    { text: 'Start', items: [item('docs/README.md'), item('README.md', 'What it is'), item('docs/tutorials/first-server.md')] },
    {
      text: 'How to',
      items: below('docs/how-to', ['command', 'capabilities', 'programs', 'policies', 'disable', 'network-host', 'observe', 'limits', 'testing', 'confinement', 'scale-out']),
    },
    { text: 'Examples', items: [item('docs/cookbook/README.md'), item('docs/examples/httphost/README.md', 'A network host'), item('docs/deploy/README.md')] },
    { text: 'Explanation', items: below('docs/explanation', ['architecture', 'security', 'performance', 'direct-tools']) },
    { text: 'Reference', collapsed: true, items: [...below('docs/reference', ['tools', 'language', 'errors', 'limits', 'command']), item('wire/PROTOCOL.md')] },
    { text: 'Modules', collapsed: true, items: modules.map((m) => item(`${m}/README.md`, m)) },
    { text: 'Maintain', collapsed: true, items: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'RELEASING.md', 'SECURITY.md', 'docs/site/README.md'].map((f) => item(f)) },
    { text: 'Decisions', collapsed: true, items: below('docs/adr') },
  ]
}

// toRepository is the path of a file, below the root, with slashes.
export function toRepository(file) {
  return relative(root, resolve(root, file)).split(sep).join('/')
}
