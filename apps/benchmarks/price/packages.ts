import { createServer } from 'node:http'
import { packagesApp } from '../http/packages-app.ts'
import { operationsOn, UNCHECKED_TOKEN } from './operations.ts'

/** Requests to an ordinary Express app with the six packages. */
export const operations = await operationsOn(createServer(packagesApp()), UNCHECKED_TOKEN)
