import { resource } from '@svc/hal'
import { expect, test } from 'vitest'
import { hasPublicHost } from './public-host.ts'

test.each<[string, boolean]>([
  ['https://example.com/a', true],
  ['http://8.8.8.8', true],
  ['http://172.15.0.1', true],
  ['http://100.63.0.1', true],
  ['http://[2001:db8::1]/', true],
  ['http://localhost:3000', false],
  ['http://a.localhost', false],
  ['http://localhost.', false],
  ['http://db', false],
  ['http://api.internal', false],
  ['http://printer.local.', false],
  ['http://127.0.0.1', false],
  ['http://0x7f.1', false],
  ['http://2130706433', false],
  ['http://0', false],
  ['http://10.1.2.3', false],
  ['http://172.16.0.1', false],
  ['http://172.31.255.255', false],
  ['http://192.168.1.1', false],
  ['http://169.254.169.254/latest', false],
  ['http://100.64.0.1', false],
  ['http://[::1]', false],
  ['http://[::]', false],
  ['http://[fe80::1]', false],
  ['http://[fd00::1]', false],
  ['http://[::ffff:127.0.0.1]', false],
  ['http://[::127.0.0.1]', false],
  ['http://[64:ff9b::127.0.0.1]', false],
  ['http://[2002:7f00:1::]', false],
  ['http://[fec0::1]', false],
  ['http://[ff02::1]', false],
  ['http://[2606:4700::1111]', true],
  ['https://0.gravatar.com', true],
  ['https://10.example.com', true],
  ['https://224.ag', true],
  ['http://192.0.0.1', false],
  ['http://198.18.0.1', false],
  ['http://198.20.0.1', true],
  ['http://223.255.255.1', true],
  ['http://224.0.0.1', false],
  ['http://255.255.255.255', false],
  ['http://localhost.localdomain', false],
  ['http://user@127.0.0.1', false],
  ['http://[', false],
])('hasPublicHost() of %s is %s', (url, expected) => {
  expect(hasPublicHost(url)).toBe(expected)
})

test('allowedHosts public rejects links to the local network', () => {
  const site = resource<{ home: string }>('site', {
    self: '/site',
    allowedHosts: 'public',
    links: { home: (s) => s.home, docs: 'https://example.com/{home}' },
  })
  expect(site.links({ home: '/a' }).docs).toEqual({ href: 'https://example.com/%2Fa' })
  expect(site.links({ home: 'https://example.com/' }).home).toEqual({ href: 'https://example.com/' })
  const { self, home } = site.links({ home: '/a' }, { base: 'http://localhost:3000' })
  expect([self, home]).toEqual([{ href: 'http://localhost:3000/site' }, { href: 'http://localhost:3000/a' }])
  expect(() => site.stringify({ home: 'http://169.254.169.254/latest' })).toThrow(
    'hal: link "home" of site must have a public host, got "http://169.254.169.254/latest"',
  )
  expect(() => resource('x', { self: '/x', allowedHosts: 'all' as never })).toThrow(
    "hal: allowedHosts of x must be 'any' or 'public'",
  )
})
