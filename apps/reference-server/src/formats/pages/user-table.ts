import { type DemoUser, demoPassword } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'
import { type Content, html } from './html.ts'
import { text } from './texts.ts'

/** The users whose passwords are public; nothing if there are none. */
export function userTable(users: readonly DemoUser[], language: Language): Content {
  if (users.length === 0) return ''
  const rows = users.map(
    ({ username, role }) =>
      html`<tr><td><code>${username}</code></td><td><code>${demoPassword(username)}</code></td><td>${text(language, `role.${role}`)}</td></tr>`,
  )
  const heads = (['user', 'password', 'rights'] as const).map(
    (key) => html`<th scope="col">${text(language, key)}</th>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
}

interface Choice {
  id: string
  label: string
  language: Language
}

/** A choice among these users, the first one chosen, or no credentials; empty if there are no users. */
export function userChoice(users: readonly DemoUser[], { id, label, language }: Choice): Content {
  if (users.length === 0) return ''
  const options = users.map(
    ({ username, role }) => html`<option value="${username}">${username} (${text(language, `role.${role}`)})</option>`,
  )
  const anonymous = html`<option value="">${text(language, 'anonymous')}</option>`
  return html`<p><label>${label} <select id="${id}" class="narrow">${options}${anonymous}</select></label></p>`
}
