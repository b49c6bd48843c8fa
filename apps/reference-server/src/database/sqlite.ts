import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Connection, type Database, DatabaseError, type SqlValue } from './connection.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { isLocked } from './violation.ts'

const MAX_STATEMENTS = 500
const LOCK_WAIT_MS = 5000
const LOCK_PAUSE_MS = 5

/** Opens the embedded database: a file in this folder, or memory that is lost with the process. */
export function openSqlite(folder: string | undefined): Database {
  const file = folder === undefined ? ':memory:' : join(folder, 'svc.db')
  const sqlite = connect(file, folder)
  const tx = connectionTo(sqlite)
  const changes = countChanges(sqlite, folder !== undefined)
  // Resolves when the last transaction of the queue has ended; `undefined` while the connection is free.
  let busy: Promise<void> | undefined
  const whenFree = <T>(work: () => MaybePromise<T>): MaybePromise<T> => (busy ? busy.then(work) : work())

  const transaction: Database['transaction'] = async (work) => {
    const before = busy
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    busy = ended
    if (before) await before
    try {
      const waiting = beginUnlessLocked(sqlite)
      if (waiting) await waiting
      const result = await work(tx)
      sqlite.exec('commit')
      return result
    } catch (error) {
      rollBack(sqlite)
      throw error
    } finally {
      if (busy === ended) busy = undefined
      end()
    }
  }
  // A statement of its own waits for a lock of another process as a transaction does.
  const single = <T>(work: () => T): MaybePromise<T> =>
    whenFree((): MaybePromise<T> => {
      try {
        return work()
      } catch (error) {
        if (!isLocked(error)) throw error
        return transaction(work)
      }
    })

  return {
    dialect: 'sqlite',
    isTransaction: false,
    all: <R extends object>(sql: string, values?: readonly SqlValue[]) => single(() => tx.all<R>(sql, values)),
    get: <R extends object>(sql: string, values?: readonly SqlValue[]) => single(() => tx.get<R>(sql, values)),
    run: (sql, values) => single(() => tx.run(sql, values)),
    transaction,
    changes: () => (busy ? undefined : changes()),
    native: { sqlite },
    where: folder === undefined ? 'in memory, resets on restart' : file,
    ping: async () => void sqlite.prepare('select 1').get(),
    async close() {
      await busy
      sqlite.close()
    },
  }
}

function connect(file: string, folder: string | undefined): DatabaseSync {
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    const sqlite = new DatabaseSync(file)
    // FULL: what was answered is on the disk, also after a power cut.
    sqlite.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 50')
    return sqlite
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot open ${file}: ${reason}`, { cause })
  }
}

/** Statements of an open transaction: no one else uses the connection. */
function connectionTo(sqlite: DatabaseSync) {
  const reading = preparer(sqlite, false)
  // The id of the last inserted row is part of every result of `run`, and may have 64 bits.
  const writing = preparer(sqlite, true)
  return {
    dialect: 'sqlite',
    isTransaction: true,
    all: <R extends object>(sql: string, values: readonly SqlValue[] = []) => reading(sql).all(...values) as R[],
    get: <R extends object>(sql: string, values: readonly SqlValue[] = []) =>
      reading(sql).get(...values) as R | undefined,
    run: (sql: string, values: readonly SqlValue[] = []) => Number(writing(sql).run(...values).changes),
  } satisfies Connection
}

function preparer(sqlite: DatabaseSync, readBigInts: boolean): (sql: string) => StatementSync {
  const statements = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })
  return (sql) => {
    const prepared = statements.get(sql)
    if (prepared) return prepared
    const statement = sqlite.prepare(sql)
    statement.setReadBigInts(readBigInts)
    statements.set(sql, statement)
    return statement
  }
}

// Begins a transaction; a promise if another process has locked the file. IMMEDIATE: a transaction that begins by
// reading could not write after another process did. The driver waits for locks by blocking the thread, so it waits only
// as long as a short transaction takes, and the rest is waited for here.
function beginUnlessLocked(sqlite: DatabaseSync): Promise<void> | undefined {
  try {
    sqlite.exec('begin immediate')
    return undefined
  } catch (error) {
    if (!isLocked(error)) throw error
    return beginWhenUnlocked(sqlite, Date.now() + LOCK_WAIT_MS)
  }
}

async function beginWhenUnlocked(sqlite: DatabaseSync, deadline: number): Promise<void> {
  for (;;) {
    await setTimeout(LOCK_PAUSE_MS)
    try {
      return sqlite.exec('begin immediate')
    } catch (error) {
      if (!isLocked(error) || Date.now() >= deadline) throw error
    }
  }
}

// Errors such as a full disk end the transaction by themselves: then there is nothing to roll back.
function rollBack(sqlite: DatabaseSync): void {
  try {
    sqlite.exec('rollback')
  } catch {}
}

// The total counts the changes of this connection, the version those that other connections made to the file.
function countChanges(sqlite: DatabaseSync, isFile: boolean): () => number {
  const total = sqlite.prepare('select total_changes() as "value"')
  const version = sqlite.prepare('select data_version as "value" from pragma_data_version')
  const valueOf = (statement: StatementSync): number => Number(statement.get()?.['value'])
  let seen = { total: 0, version: 0 }
  let count = 0
  return () => {
    const now = { total: valueOf(total), version: isFile ? valueOf(version) : 0 }
    if (now.total !== seen.total || now.version !== seen.version) count++
    seen = now
    return count
  }
}
