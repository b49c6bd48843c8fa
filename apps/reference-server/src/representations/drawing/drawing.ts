/** A picture as data: what is drawn, back to front. SVG and PNG are written from the same one. */
export interface Drawing {
  /** What somebody is told who cannot see it. */
  title: string
  width: number
  height: number
  shapes: readonly Shape[]
}

export type Shape = Rectangle | Text

export interface Rectangle {
  kind: 'rectangle'
  x: number
  y: number
  width: number
  height: number
  /** `#rrggbb` */
  fill: string
}

/** A line of text in letters of one width. */
export interface Text {
  kind: 'text'
  text: string
  /** Where `anchor` is, and the line that the letters stand on. */
  x: number
  y: number
  /** Height of a capital letter; best a multiple of 7, since that is how many dots it has in a PNG. */
  size: number
  anchor: 'start' | 'middle' | 'end'
  fill: string
}

/** A filled rectangle. */
export function rectangle(x: number, y: number, width: number, height: number, fill: string): Rectangle {
  return { kind: 'rectangle', x, y, width, height, fill }
}

/** A line of text. */
export function text(
  x: number,
  y: number,
  size: number,
  content: string,
  { fill = '#1a1a1a', anchor = 'start' }: { fill?: string; anchor?: Text['anchor'] } = {},
): Text {
  return { kind: 'text', text: content, x, y, size, anchor, fill }
}

/** Width of a letter and of the gap behind it, in parts of the height of a capital letter. */
export const ADVANCE = 6 / 7

/** A text that fits into a width. */
export function fitted(content: string, size: number, width: number): string {
  const letters = [...content]
  const most = Math.floor(width / (size * ADVANCE))
  return letters.length <= most ? content : `${letters.slice(0, Math.max(0, most - 3)).join('')}...`
}
