import { DEMO_USERS, demoPassword } from '../../domain/seed/demo-users.ts'
import type { Language } from '../../messages/locale.ts'
import { type Html, html } from './html.ts'
import { text } from './texts.ts'

/** The users of the demo, for everybody to be. */
export function userTable(language: Language): Html {
  const rows = DEMO_USERS.map(
    ({ username, role }) =>
      html`<tr><td><code>${username}</code></td><td><code>${demoPassword(username)}</code></td><td>${text(language, `role.${role}`)}</td></tr>`,
  )
  const heads = (['user', 'password', 'rights'] as const).map(
    (key) => html`<th scope="col">${text(language, key)}</th>`,
  )
  return html`<div class="wide facts" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A choice among the users of the demo, the first one chosen, and nobody. */
export function userChoice(id: string, label: string, language: Language): Html {
  const users = DEMO_USERS.map(
    ({ username, role }) => html`<option value="${username}">${username} (${text(language, `role.${role}`)})</option>`,
  )
  const nobody = html`<option value="">${text(language, 'nobody')}</option>`
  return html`<p><label>${label} <select id="${id}" class="narrow">${users}${nobody}</select></label></p>`
}
