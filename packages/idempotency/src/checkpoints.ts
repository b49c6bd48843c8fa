/** Writes the results of steps, JSON texts by name, as one text; empty without any. */
export function packSteps(steps: ReadonlyMap<string, string>): string {
  return steps.size === 0 ? '' : JSON.stringify([...steps])
}

/** Reads what `packSteps` wrote. */
export function unpackSteps(packed: string): Map<string, string> {
  return new Map(packed === '' ? [] : (JSON.parse(packed) as [string, string][]))
}
