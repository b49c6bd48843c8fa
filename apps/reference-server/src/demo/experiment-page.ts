import { scripts } from '../pages/assets.ts'
import { html } from '../pages/html.ts'
import { breadcrumbs } from '../pages/links.ts'
import type { PageOf } from '../pages/view.ts'
import type { Experiment } from './experiment.ts'
import { experimentView } from './experiment-view.ts'
import { cache } from './experiments/cache.ts'
import { faults } from './experiments/faults.ts'
import { idempotency } from './experiments/idempotency.ts'
import { versioning } from './experiments/versioning.ts'

export interface ExperimentPage {
  path: string
  experiments: readonly Experiment[]
  page: PageOf
}

/** The playgrounds that are lists of experiments. */
export const experimentPages: readonly ExperimentPage[] = [
  pageOf(
    '/play/idempotency',
    'Idempotency',
    'A client that got no answer sends again. With a key it happens once.',
    idempotency,
  ),
  pageOf(
    '/play/cache',
    'Caching',
    'An entity tag names a state: asking again costs nothing, saving over another’s change is refused.',
    cache,
  ),
  pageOf(
    '/play/versioning',
    'Versions',
    'Version 2 has salaries with a currency and departments that are resources. Version 1 stays as it was.',
    versioning,
  ),
  pageOf(
    '/play/faults',
    'Faults',
    'Whatever breaks, clients get one clear record, and nothing of the inside. The field X-Demo-Fault breaks things in the demo alone.',
    faults,
  ),
]

function pageOf(path: string, title: string, says: string, experiments: readonly Experiment[]): ExperimentPage {
  const page: PageOf = ({ language, origin }) => ({
    title,
    lang: 'en',
    scripts: [scripts.experiment],
    main: html`${breadcrumbs(path, language)}
<h1>${title}</h1>
<p class="lead">${says}</p>
<noscript><p class="notice">The steps run with JavaScript on; as curl lines they work everywhere.</p></noscript>
${experiments.map((experiment) => experimentView(experiment, origin))}`,
  })
  return { path, experiments, page }
}
