import { type Message, message } from './messages.ts'

/** A length of time as people say it: `2 minutes`. */
export function durationMessage(ms: number): Message {
  if (ms < 1000) return message('duration.milliseconds', { count: ms })
  const seconds = Math.ceil(ms / 1000)
  if (seconds % 3600 === 0) return message('duration.hours', { count: seconds / 3600 })
  if (seconds % 60 === 0) return message('duration.minutes', { count: seconds / 60 })
  return message('duration.seconds', { count: seconds })
}
