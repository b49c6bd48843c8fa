import { createServer } from 'node:http'
import { bareApp } from './bare-app.ts'
import { serve } from './serve.ts'

serve(createServer(bareApp()))
