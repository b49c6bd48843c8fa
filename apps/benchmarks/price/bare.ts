import { createServer } from 'node:http'
import { bareApp } from '../http/bare-app.ts'
import { operationsOn, UNCHECKED_TOKEN } from './operations.ts'

/** Requests to bare Express, which sends ready objects. */
export const operations = await operationsOn(createServer(bareApp()), UNCHECKED_TOKEN)
