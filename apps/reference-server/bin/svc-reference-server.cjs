#!/usr/bin/env node
// Old syntax on purpose: this file has to run on every Node.js, to say which one is needed.
var version = process.versions.node.split('.').map(Number)
if (version[0] < 22 || (version[0] === 22 && version[1] < 13) || (version[0] === 23 && version[1] < 4)) {
  process.stderr.write('svc-reference-server needs Node.js ^22.13 || >=23.4, this is ' + process.versions.node + '\n')
  process.exit(1)
}
import('../dist/main.js')
