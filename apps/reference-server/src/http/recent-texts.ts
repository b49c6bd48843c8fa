/**
 * Returns a function that checks whether a text was one of the latest, about as many as `count`,
 * and records it. It stores hashes, so a text leaves nothing for the garbage collector. Two texts
 * with one hash count as the same.
 */
export function recentTexts(count: number): (text: string) => boolean {
  const hashes = new Int32Array(count)
  return (text) => {
    const hash = computeHash(text)
    const slot = (hash >>> 0) % count
    const isRecent = hashes[slot] === hash
    hashes[slot] = hash
    return isRecent
  }
}

function computeHash(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}
