import type { Project } from './project.ts'
import { readCommands } from './readme.ts'

/** Actual addresses of the server that a document expects on port 3000, and on port 3001. */
export interface Places {
  url: string
  adminUrl?: string | undefined
}

/**
 * Runs the `curl` lines of a document that ask localhost; what each printed, and what its comment
 * says is in there.
 */
export async function runCurls(project: Project, markdown: string, { url, adminUrl }: Places) {
  const curls = readCommands(markdown).filter(({ command }) => /^curl .*(localhost|127\.0\.0\.1):300/.test(command))
  const ran: { command: string; printed: string; told: string[] }[] = []
  for (const { command, comment } of curls) {
    const aimed = command
      .replace(/(http:\/\/)?(localhost|127\.0\.0\.1):3000/, url)
      .replace(/(http:\/\/)?(localhost|127\.0\.0\.1):3001/, adminUrl ?? '')
    ran.push({ command, printed: await project.run('bash', '-c', `${aimed} -sS`), told: comment.split(', ') })
  }
  return ran
}
