import type { HashAlgorithm } from '../../engine/index.ts'

/** The users of the demo. Their passwords are public: the name, then `-demo`. */
export interface DemoUser {
  username: string
  displayName: string
  role: 'admin' | 'staff' | 'reader' | 'customer' | 'none'
  /** Id of the customer that the user is. */
  customer?: number
}

export const DEMO_USERS: readonly DemoUser[] = [
  { username: 'ada', displayName: 'Ada Admin', role: 'admin' },
  { username: 'adam', displayName: 'Adam Admin', role: 'admin' },
  { username: 'bob', displayName: 'Bob Staff', role: 'staff' },
  { username: 'eve', displayName: 'Eve Reader', role: 'reader' },
  { username: 'sam', displayName: 'Sam Nobody', role: 'none' },
  { username: 'carl', displayName: 'Carl Customer', role: 'customer', customer: 1 },
  { username: 'cora', displayName: 'Cora Customer', role: 'customer', customer: 2 },
]

/** The password of a demo user. */
export function demoPassword(username: string): string {
  return `${username}-demo`
}

/** Hashes of the demo passwords by username. Hashing at startup would take 60 MiB and 0.4 s. */
export const DEMO_PASSWORD_HASHES: Readonly<Record<string, Record<HashAlgorithm, string>>> = {
  ada: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$zJtEnBtbXhm+689AELHKeQ$kdhbqkZYo6rg70jOyqyCjumuMeUf042bg92Fi0Y+uYs',
    scrypt: '$scrypt$ln=15,r=8,p=1$naalBtXBlmRKlokD6Y9oQA$BXXDl2w5kAQz6s3gKZOlJ6K/2ARUzHvb/v4kOHcFh38',
  },
  adam: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$2E1h9RL3aVp8ieiNpkU4XA$Y0Af1Tr5wDb4ySn2Gr39bNfy0pQmk5bcg4jnu9veAlo',
    scrypt: '$scrypt$ln=15,r=8,p=1$dCog+aXsRp22NRvjqxvboQ$V0mx5cWwmIMx7LVFhFWYQoQ1ffLYTxg9fOCejivhaIA',
  },
  bob: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$NeRPzBpkX3P89U+tQ1ke6A$S48Js0LVQCsyxpKxV+sug54UGcm6uK1e6Su5PIOKsgU',
    scrypt: '$scrypt$ln=15,r=8,p=1$DSS5533caCTEHRGatHzf9Q$3zLnW33tgWYpbSpC4GnyZkykAHyek2tKvd6x0VWflAk',
  },
  eve: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$4EUTKXmtV5+jDd/oi2WAew$PiL687r9TgTlMSvUfXxIRWWXAi8mmOijUsS5hwnf7vE',
    scrypt: '$scrypt$ln=15,r=8,p=1$layNhv2rB8+wUD2rGHW2kA$H5sgM0V7s3GAQXR0Gkz1be3/SlJjKuKvSVYpghfp83s',
  },
  sam: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$BGK76ZZZhhTVyS51BvF0lg$BG/iOjGuw1p+aQImYG0dul2UMEMZYDDgkxwTqWFKT+k',
    scrypt: '$scrypt$ln=15,r=8,p=1$NHH73ligDRizX+rGezuQQw$ghpHpWyR71ja4rlcoeJ9FFAXG8XGyMlEIewsjfYurKc',
  },
  carl: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$h1GskfMZphzUT3p5qSCHZw$WNvY0Xzq4KsIA17M6i3W6QsAhUbsn8qJHKsScWf/Luc',
    scrypt: '$scrypt$ln=15,r=8,p=1$budfD+DZJUVux2ULnesX2w$Czd7AXybopEJp+0v64LBELXyKzTAiheXBsg+aQoSXxg',
  },
  cora: {
    argon2id: '$argon2id$v=19$m=19456,t=2,p=1$riMRGRKH4N+GKzFEhBSn/Q$bqRLYvwf3qrTsI+gFWdzp8UISarclMlbOBcShQ0IB74',
    scrypt: '$scrypt$ln=15,r=8,p=1$Y/G1dJbSzf+yvU6ZVYKvWQ$6XZD2VHmgCIa3icwBEPlAAHbqUKqdFfjppEVvIwO0O8',
  },
}
