import { createServer } from 'node:http'
import { packagesApp } from './packages-app.ts'
import { serve } from './serve.ts'

serve(createServer(packagesApp()))
