#!/usr/bin/env node
import { run } from './types/command.ts'

process.exitCode = run(
  process.argv.slice(2),
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
)
