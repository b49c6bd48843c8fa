import { type Drawing, fitted, rectangle, type Shape, text } from './drawing.ts'

/** The salaries of a department, counted by bands. */
export interface Salaries {
  department: string
  employees: number
  bands: readonly { from: number; to: number; employees: number }[]
}

const WIDTH = 640
const HEIGHT = 360
const LEFT = 48
const TOP = 72
const BOTTOM = HEIGHT - 56
const GAP = 8
const GREY = '#d0d0d0'

/** How many employees of a department earn how much: a bar for each band. */
export function drawSalaries({ department, employees, bands }: Salaries): Drawing {
  const most = Math.max(1, ...bands.map((band) => band.employees))
  const step = (WIDTH - LEFT - 24) / Math.max(1, bands.length)
  const height = (count: number): number => Math.round(((BOTTOM - TOP) * count) / most)
  const columns = bands.flatMap(({ from, employees: count }, at): Shape[] => {
    const x = Math.round(LEFT + at * step)
    const middle = x + (step - GAP) / 2
    return [
      rectangle(x, BOTTOM - height(count), Math.round(step - GAP), height(count), '#1f4e79'),
      text(middle, BOTTOM - height(count) - 6, 7, String(count), { anchor: 'middle' }),
      text(middle, BOTTOM + 20, 7, from.toLocaleString('en'), { anchor: 'middle' }),
    ]
  })
  return {
    title: `Salaries in ${department}: ${employees} employees in ${bands.length} bands`,
    width: WIDTH,
    height: HEIGHT,
    shapes: [
      rectangle(0, 0, WIDTH, HEIGHT, '#ffffff'),
      text(LEFT, 40, 14, fitted(`Salaries, ${department}`, 14, WIDTH - LEFT - 24)),
      rectangle(LEFT, TOP, WIDTH - LEFT - 24, 1, GREY),
      ...columns,
      rectangle(LEFT, BOTTOM, WIDTH - LEFT - 24, 2, '#1a1a1a'),
      text(WIDTH / 2, HEIGHT - 16, 7, 'Salary from', { anchor: 'middle' }),
    ],
  }
}
