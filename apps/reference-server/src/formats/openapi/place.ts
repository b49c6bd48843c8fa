import type { RenderContext } from '../../engine/compiled-collection.ts'
import type { Action } from '../../engine/route.ts'
import type { PathOwners } from './parameters.ts'

/** An action and where it is. */
export interface OperationPlace {
  method: string
  path: string
  action: Action
  /** What examples are rendered in. */
  context: RenderContext
  /** Collections, which the variables of paths name items of. */
  owners: PathOwners
}
