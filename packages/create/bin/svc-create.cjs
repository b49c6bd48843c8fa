#!/usr/bin/env node
// Old syntax on purpose: this file has to run on every Node.js, to say which one is needed.
var version = process.versions.node.split('.').map(Number)
if (version[0] < 22 || (version[0] === 22 && version[1] < 18) || (version[0] === 23 && version[1] < 6)) {
  process.stderr.write('npm create @svc needs Node.js ^22.18 || >=23.6, this is ' + process.versions.node + '\n')
  process.exit(1)
}
import('../dist/main.js')
