export { type BrowseOptions, type Browser, browse } from './browse.ts'
export { type CheckLinksOptions, checkLinks, type DeadLink, type LinkReport } from './check-links.ts'
