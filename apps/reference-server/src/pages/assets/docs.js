// Swagger UI on our own document.
const place = document.querySelector('#swagger')
const users = document.querySelector('#docs-user')

const ui = window.SwaggerUIBundle({
  url: place.dataset.url,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  presets: [window.SwaggerUIBundle.presets.apis],
  onComplete() {
    nameParts()
    document.documentElement.dataset.ready = 'docs'
  },
})

users?.addEventListener('change', () => {
  if (users.value === '') ui.authActions.logout(['basic'])
  else ui.preauthorizeBasic('basic', users.value, `${users.value}-demo`)
})

// What Swagger UI leaves to be guessed by those who do not see it: the page has one main part, lists have names.
function nameParts() {
  const operations = place.querySelector('main')
  operations?.setAttribute('role', 'region')
  operations?.setAttribute('aria-label', 'Operations by resource')
  place.querySelector('#servers')?.setAttribute('aria-label', 'Server')
  for (const heading of place.querySelectorAll('h3')) heading.setAttribute('aria-level', '2')
}
