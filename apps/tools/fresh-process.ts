import { vi } from 'vitest'

// The test files of a worker share its process. Each begins without the mocks of those before, and
// with warnings that have not been emitted.
vi.restoreAllMocks()
vi.useRealTimers()
Reflect.deleteProperty(globalThis, Symbol.for('svc.warned'))
