// Swagger UI on our own document.
const place = document.querySelector('#swagger')
const users = document.querySelector('#docs-user')

const ui = window.SwaggerUIBundle({
  url: place.dataset.url,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'none',
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [plainLayout],
  layout: 'PlainLayout',
  onComplete() {
    nameParts()
    chooseUser()
    document.documentElement.dataset.ready = 'docs'
  },
})

users?.addEventListener('change', chooseUser)

// Swagger UI has a dark theme of its own, which does not look at what the visitor prefers.
const dark = matchMedia('(prefers-color-scheme: dark)')
dark.addEventListener('change', followTheme)
followTheme()

function followTheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

function chooseUser() {
  if (!users) return
  if (users.value === '') ui.authActions.logout(['basic'])
  else ui.preauthorizeBasic('basic', users.value, `${users.value}-demo`)
}

// The page has its title and its main part already: what is left is who asks, where, and what.
function plainLayout({ React: { createElement } }) {
  const PlainLayout = ({ getComponent }) => {
    const part = (name) => createElement(getComponent(name, true), { key: name })
    const head = createElement('div', { key: 'head', className: 'scheme-container' }, [
      part('ServersContainer'),
      part('AuthorizeBtnContainer'),
    ])
    return createElement('div', { className: 'swagger-ui' }, [part('SvgAssets'), head, part('operations')])
  }
  return { components: { PlainLayout } }
}

// What Swagger UI leaves to be guessed by those who do not see it.
function nameParts() {
  place.querySelector('#servers')?.setAttribute('aria-label', 'Server')
  for (const heading of place.querySelectorAll('h3')) heading.setAttribute('aria-level', '2')
}
