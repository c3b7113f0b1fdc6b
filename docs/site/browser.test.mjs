// The built site in a real browser, at two sizes: every page, navigation,
// search, light and dark. Nothing may be asked of another host, and the console
// stays free of errors.
//
//	npm run build && npm test            (SCREENSHOTS=dir keeps pictures)
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const dist = join(dirname(fileURLToPath(import.meta.url)), '.vitepress/dist')
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' }

function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURI(new URL(request.url, 'http://site').pathname))
    const file = [path, path + 'index.html', path + '.html'].map((name) => join(dist, name)).find((name) => extname(name) && existsSync(name))
    response.writeHead(file ? 200 : 404, { 'content-type': types[extname(file ?? '.html')] ?? 'application/octet-stream' })
    response.end(readFileSync(file ?? join(dist, '404.html')))
  })
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)))
}

function pagesOfSite() {
  const files = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.html') && name !== '404.html')
  return files.map((name) => '/' + name.replaceAll('\\', '/')).sort()
}

// watch collects what must not happen on a page.
function watch(page, origin, faults) {
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()} at ${page.url()}`))
  page.on('pageerror', (error) => faults.push(`script: ${error} at ${page.url()}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) faults.push(`outside request: ${request.url()} at ${page.url()}`)
  })
  page.on('response', (response) => response.status() >= 400 && faults.push(`status ${response.status()}: ${response.url()}`))
}

async function picture(page, name) {
  if (!process.env.SCREENSHOTS) return
  mkdirSync(process.env.SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(process.env.SCREENSHOTS, name + '.png') })
}

async function everyPage(page, origin, size) {
  for (const path of pagesOfSite()) {
    await page.goto(origin + path)
    await page.waitForFunction(() => document.querySelector('#app').__vue_app__) // alive, so what follows sees its faults
    assert.equal(await page.locator('.vp-doc h1').count(), 1, `${path} has one title`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    assert.ok(wide <= 0, `${path} is ${wide} pixels too wide at ${size}`)
    const lost = await page.evaluate(() => [...document.querySelectorAll('.vp-doc a[href^="#"]')]
      .map((a) => decodeURIComponent(a.hash.slice(1))).filter((id) => id && !document.getElementById(id)))
    assert.deepEqual(lost, [], `${path} has links to headings that are not there`)
    const cut = await page.evaluate(() => [...document.querySelectorAll('.diagram svg')].flatMap((svg) => [...svg.querySelectorAll('text')]
      .filter((text) => text.getBoundingClientRect().right > svg.getBoundingClientRect().right).map((text) => text.textContent)))
    assert.deepEqual(cut, [], `${path} has texts outside of a diagram`)
    const scrolls = await page.evaluate(() => [...document.querySelectorAll('.diagram')].some((d) => d.scrollWidth > d.clientWidth))
    assert.ok(!scrolls || size === 'phone', `${path} has a diagram that is wider than the page at ${size}`)
  }
}

async function navigation(page, origin, size) {
  await page.goto(origin + '/', { waitUntil: 'networkidle' })
  await picture(page, `${size}-home`)
  await page.locator('.vp-doc a', { hasText: 'Your first server' }).click()
  await page.locator('.vp-doc h1', { hasText: 'Your first server' }).waitFor()
  await picture(page, `${size}-tutorial`)
  if (size === 'phone') await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.locator('.VPSidebar a', { hasText: 'How it works' }).click()
  await page.locator('.vp-doc h1', { hasText: 'How it works' }).waitFor()
  await page.locator('.VPBackdrop').waitFor({ state: 'detached' })
  await page.locator('.diagram svg').first().waitFor()
  await picture(page, `${size}-architecture`)
}

async function search(page, origin, size) {
  await page.goto(origin + '/', { waitUntil: 'networkidle' })
  await page.locator('.DocSearch-Button').click()
  await page.locator('#localsearch-input').fill('system calls')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  await picture(page, `${size}-search`)
  const titles = await page.locator('.VPLocalSearchBox .result').allTextContents()
  assert.ok(titles.some((text) => /confine|protects|sandbox/i.test(text)), `search finds: ${titles}`)
  await page.locator('.VPLocalSearchBox .result').first().click()
  await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' })
  assert.notEqual(new URL(page.url()).pathname, '/', 'a result leads to its page')
}

async function dark(page, origin, size) {
  await page.goto(origin + '/explanation/architecture.html', { waitUntil: 'networkidle' })
  const colour = () => page.evaluate(() => getComputedStyle(document.querySelector('.diagram text')).fill)
  const light = await colour()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark').waitFor()
  assert.notEqual(await colour(), light, 'diagrams follow the theme')
  await picture(page, `${size}-dark`)
  await page.goto(origin + '/reference/tools.html', { waitUntil: 'networkidle' })
  await picture(page, `${size}-reference`)
  await page.emulateMedia({ colorScheme: 'light' })
}

const profile = mkdtempSync(join(tmpdir(), 'site-'))
const server = await serve()
const origin = `http://127.0.0.1:${server.address().port}`
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
})
try {
  for (const [size, viewport] of Object.entries(sizes)) {
    const faults = []
    const page = await browser.newPage()
    await page.setViewportSize(viewport)
    watch(page, origin, faults)
    for (const step of [navigation, search, dark, everyPage]) await step(page, origin, size)
    assert.deepEqual(faults, [])
    await page.close()
    console.log(`${size}: ${pagesOfSite().length} pages, navigation, search, light and dark`)
  }
} finally {
  await browser.close()
  server.close()
  rmSync(profile, { recursive: true, force: true })
}
