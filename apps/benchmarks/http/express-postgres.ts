import { createServer } from 'node:http'
import express from 'express'
import pg from 'pg'
import { plainItem } from './employees.ts'
import { serve } from './serve.ts'

// Express 5 with pg on the database of the reference server: the same query, prepared, and nothing
// else.
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const QUERY = {
  name: 'employee',
  text: 'select "id", "name", "department", "salary", "city", "managerId", "revision", "updatedAt" from "employees" where "id" = $1',
}

const app = express()
app.get('/employees/:id', async (req, res) => {
  const { rows } = await pool.query({ ...QUERY, values: [Number(req.params.id)] })
  const [{ revision: _revision, updatedAt: _updatedAt, ...employee }] = rows
  res.type('application/hal+json').json(plainItem(employee))
})

serve(createServer(app))
