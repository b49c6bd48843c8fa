import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type Changes,
  type Connection,
  type Database,
  DatabaseError,
  type Key,
  type SqlValue,
  type StoredRow,
} from './connection.ts'
import { isPromise, type MaybePromise } from './maybe-promise.ts'
import { isLocked } from './violation.ts'

const MAX_STATEMENTS = 500
const LOCK_WAIT_MS = 5000
const CACHE_KIB = 8000
const LOG_PAGES = 10_000
const LOCK_PAUSE_MS = 5

/** Opens the embedded database: a file in this folder, or memory that is lost with the process. */
export function openSqlite(folder: string | undefined): Database {
  const file = folder === undefined ? ':memory:' : join(folder, 'svc.db')
  const sqlite = connect(file, folder)
  const use: Use = { isCounted: false, busy: undefined }
  const tx = connectionTo(sqlite, use)
  const snapshot = folder === undefined ? undefined : createSnapshot(sqlite)
  const total = prepareNumber(sqlite, 'select total_changes()')
  let waiting: Member[] = []
  const commitWaiting = async (): Promise<void> => {
    const group = waiting
    waiting = []
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    use.busy = ended
    snapshot?.end()
    const outcomes = await commitGroup(sqlite, tx, group, total)
    use.isCounted = false
    use.busy = undefined
    end()
    for (const [settle, value] of outcomes) settle(value)
    if (waiting.length > 0) setImmediate(commitWaiting)
  }
  const transaction = <T>(work: (tx: Connection) => MaybePromise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    waiting.push({ work, resolve, reject })
    if (waiting.length === 1 && !use.busy) setImmediate(commitWaiting)
    return promise
  }
  // A statement of its own waits for a lock of another process as a transaction does.
  const single = <T>(sql: string, work: () => T): MaybePromise<T> => {
    if (use.busy) return use.busy.then(() => single(sql, work))
    if (sql.startsWith('select ')) snapshot?.read()
    else snapshot?.end()
    try {
      return work()
    } catch (error) {
      if (!isLocked(error)) throw error
      return transaction(work)
    }
  }

  return {
    dialect: 'sqlite',
    isTransaction: false,
    all: <R extends object>(sql: string, values?: readonly SqlValue[]) => single(sql, () => tx.all<R>(sql, values)),
    rows: (sql, values) => single(sql, () => tx.rows(sql, values)),
    get: <R extends object>(sql: string, values?: readonly SqlValue[]) => single(sql, () => tx.get<R>(sql, values)),
    find: (sql, key) => single(sql, () => tx.find(sql, key)),
    run: (sql, values) => single(sql, () => tx.run(sql, values)),
    transaction,
    changes: watchChanges(sqlite, use, { snapshot, total }),
    native: { sqlite },
    where: folder === undefined ? 'in memory, resets on restart' : file,
    ping: async () => void sqlite.prepare('select 1').get(),
    async close() {
      while (use.busy || waiting.length > 0) await (use.busy ?? nextTurn())
      snapshot?.end()
      sqlite.close()
    },
  }
}

/** A transaction that waits for its group. Its methods accept a promise of any result. */
interface Member {
  work(tx: Connection): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** A function that settles a transaction, and its argument: called when the group has ended. */
type Outcome = readonly [settle: Member['resolve'], value: unknown]

// Commits what was requested in one turn of the event loop together, so that the disk is written
// once. Most transactions that fail have changed nothing. If one has, all run again, each in a
// savepoint: then it is rolled back without the others. SQLite copies each page that changes after
// a savepoint. Returns what settles the transactions: not before the commit.
async function commitGroup(
  sqlite: DatabaseSync,
  tx: Connection,
  group: readonly Member[],
  total: StatementSync,
  isApart = false,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    const locked = begin(sqlite)
    if (locked) await locked
    for (const { work, resolve, reject } of group) {
      if (isApart) tx.run('savepoint "member"')
      const before = total.get()?.[0]
      try {
        const result = work(tx)
        outcomes.push([resolve, isPromise(result) ? await result : result])
      } catch (error) {
        // Errors such as a full disk end the transaction: with it go the changes of the others.
        if (group.length === 1 || !sqlite.isTransaction) throw error
        if (isApart) {
          tx.run('rollback to "member"')
        } else if (total.get()?.[0] !== before) {
          sqlite.exec('rollback')
          return commitGroup(sqlite, tx, group, total, true)
        }
        outcomes.push([reject, error])
      }
      if (isApart) tx.run('release "member"')
    }
    sqlite.exec('commit')
    return outcomes
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('rollback')
    return group.map(({ reject }) => [reject, error])
  }
}

function connect(file: string, folder: string | undefined): DatabaseSync {
  try {
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // It contains the signing key. The other files of SQLite get its mode.
      writeFileSync(file, '', { flag: 'a', mode: 0o600 })
    }
    // Waits for a process that opens the file at the same time. Later, `begin` waits for locks.
    const sqlite = new DatabaseSync(file, { timeout: LOCK_WAIT_MS })
    // FULL: committed changes survive a power cut.
    sqlite.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 50')
    // Savepoints copy pages: to memory, not to a temporary file.
    sqlite.exec(`pragma temp_store = memory; pragma cache_size = -${CACHE_KIB}`)
    // Pages with random keys change often before they are copied from the log into the file.
    sqlite.exec(`pragma wal_autocheckpoint = ${LOG_PAGES}`)
    return sqlite
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot open ${file}: ${reason}`, { cause })
  }
}

/** State of the connection that its functions share. */
interface Use {
  /** Whether the number of changes is that of the last count. */
  isCounted: boolean
  /** Resolves when the open transaction has ended; `undefined` while the connection is free. */
  busy: Promise<void> | undefined
}

/** A statement that returns rows as arrays. The types of node:sqlite know only objects. */
interface ArrayStatement {
  all(...values: readonly SqlValue[]): StoredRow[]
  get(key: Key): StoredRow | undefined
}

/** Statements of an open transaction: no one else uses the connection. */
function connectionTo(sqlite: DatabaseSync, use: Use) {
  const objects = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })
  const arrays = new LRUCache<string, ArrayStatement>({ max: MAX_STATEMENTS })
  const writes = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })
  const prepare = <S extends object>(statements: LRUCache<string, S>, sql: string): S => {
    const statement = sqlite.prepare(sql)
    const kind: object = statements
    // A row as an array costs half of one as an object.
    if (kind === arrays) statement.setReturnArrays(true)
    // The id of the last inserted row is part of every result of `run`, and may have 64 bits.
    if (kind === writes) statement.setReadBigInts(true)
    const prepared = statement as S
    statements.set(sql, prepared)
    return prepared
  }
  // All but `find` may change rows: an insert may return them, too.
  return {
    dialect: 'sqlite',
    isTransaction: true,
    all<R extends object>(sql: string, values: readonly SqlValue[] = []) {
      use.isCounted = false
      return (objects.get(sql) ?? prepare(objects, sql)).all(...values) as R[]
    },
    rows(sql: string, values: readonly SqlValue[] = []) {
      use.isCounted = false
      return (arrays.get(sql) ?? prepare(arrays, sql)).all(...values)
    },
    get<R extends object>(sql: string, values: readonly SqlValue[] = []) {
      use.isCounted = false
      return (objects.get(sql) ?? prepare(objects, sql)).get(...values) as R | undefined
    },
    find: (sql: string, key: Key) => (arrays.get(sql) ?? prepare(arrays, sql)).get(key),
    run(sql: string, values: readonly SqlValue[] = []) {
      use.isCounted = false
      return Number((writes.get(sql) ?? prepare(writes, sql)).run(...values).changes)
    },
  } satisfies Connection
}

// Begins a transaction; a promise if another process has locked the file. IMMEDIATE: a transaction
// that begins by reading could not write after another process did. The driver waits for locks by
// blocking the thread, so it waits only as long as a short transaction takes, and the rest is
// waited for here.
function begin(sqlite: DatabaseSync, deadline?: number): Promise<void> | undefined {
  try {
    sqlite.exec('begin immediate')
    return undefined
  } catch (error) {
    const now = Date.now()
    if (!isLocked(error) || (deadline !== undefined && now >= deadline)) throw error
    return setTimeout(LOCK_PAUSE_MS).then(() => begin(sqlite, deadline ?? now + LOCK_WAIT_MS))
  }
}

/** One state of a file that reads of a turn share: the file is locked once for all of them. */
interface Snapshot {
  /** Lets the reads of this tick share the snapshot. */
  allow(): void
  /** Begins the snapshot for a read that may share it, and ends it before any other. */
  read(): void
  end(): void
}

function createSnapshot(sqlite: DatabaseSync): Snapshot {
  let isAllowed = false
  let isOpen = false
  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    // Errors such as a failing disk have ended it.
    if (sqlite.isTransaction) sqlite.exec('commit')
  }
  const disallow = (): void => void (isAllowed = false)
  return {
    allow() {
      isAllowed = true
      AFTER_TICK.then(disallow)
    },
    read() {
      if (!isAllowed) return end()
      if (isOpen) return
      sqlite.exec('begin')
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}

const AFTER_TICK = Promise.resolve()

// The total counts the changes of this connection, the version those that other connections made to
// the file. To read the version locks the file for a moment. All requests of a poll had arrived
// when the first of them reads it.
function watchChanges(
  sqlite: DatabaseSync,
  use: Use,
  { snapshot, total }: { snapshot: Snapshot | undefined; total: StatementSync },
): Database['changes'] {
  const version = snapshot && prepareNumber(sqlite, 'pragma data_version')
  let seenTotal: unknown
  let seenVersion: unknown
  let latest: number | undefined
  let changes: Changes | undefined
  let users = 0
  return (poll) => {
    if (use.busy) return undefined
    const isPolled = poll !== undefined && poll === latest
    if (!isPolled) snapshot?.end()
    if (poll !== undefined) snapshot?.allow()
    if (isPolled && use.isCounted && changes) return changes
    // The tables exist by now.
    if (!changes) watchTable(sqlite, 'users', () => void users++)
    const newTotal = total.get()?.[0]
    const newVersion = isPolled ? seenVersion : version?.get()?.[0]
    if (newVersion !== seenVersion) users++
    if (!changes || newTotal !== seenTotal || newVersion !== seenVersion) changes = { users }
    seenTotal = newTotal
    seenVersion = newVersion
    use.isCounted = true
    if (poll !== undefined) latest = poll
    return changes
  }
}

// Triggers see each changed row, whichever statement has changed it: also one of another package,
// or a rule of a foreign key. They belong to this connection.
function watchTable(sqlite: DatabaseSync, table: string, changed: () => void): void {
  sqlite.function(`${table}_changed`, () => {
    changed()
    return null
  })
  for (const event of ['insert', 'update', 'delete'])
    sqlite.exec(
      `create temp trigger "${table}_${event}" after ${event} on main."${table}" begin select ${table}_changed(); end`,
    )
}

function prepareNumber(sqlite: DatabaseSync, sql: string): StatementSync {
  const statement = sqlite.prepare(sql)
  statement.setReturnArrays(true)
  return statement
}
