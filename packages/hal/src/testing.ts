export { type BrowseOptions, type Browser, browse } from './browse.ts'
export { type BrokenLink, type CheckLinksOptions, checkLinks, type LinkReport } from './check-links.ts'
