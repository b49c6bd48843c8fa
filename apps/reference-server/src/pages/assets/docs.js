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
})

users?.addEventListener('change', () => {
  if (users.value === '') ui.authActions.logout(['basic'])
  else ui.preauthorizeBasic('basic', users.value, `${users.value}-demo`)
})
