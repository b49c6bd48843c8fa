import { breadcrumbs, html, type PageOf } from '../../reference-server/src/index.ts'
import { scripts, style } from './assets.ts'
import type { PlayExperiment } from './experiment.ts'
import { experimentView, runTexts } from './experiment-view.ts'
import { cache } from './experiments/cache.ts'
import { faults } from './experiments/faults.ts'
import { idempotency } from './experiments/idempotency.ts'
import { versioning } from './experiments/versioning.ts'
import { demoText } from './texts.ts'

export interface ExperimentPage {
  path: string
  experiments: readonly PlayExperiment[]
  page: PageOf
}

/** The playgrounds that are lists of experiments. */
export const experimentPages: readonly ExperimentPage[] = [
  createPage('idempotency', idempotency),
  createPage('cache', cache),
  createPage('versioning', versioning),
  createPage('faults', faults),
]

type Name = 'idempotency' | 'cache' | 'versioning' | 'faults'

function createPage(name: Name, experiments: readonly PlayExperiment[]): ExperimentPage {
  const page: PageOf = (view) => {
    const { language, baseUrl } = view
    const title = demoText(language, `${name}.title`)
    const main = html`${breadcrumbs(view)}
<h1>${title}</h1>
<p class="lead">${demoText(language, `${name}.lead`)}</p>
<p class="run" ${runTexts(language)}><button type="button" class="plain" data-run-all hidden>${demoText(language, 'runAll')}</button> <output id="all-status"></output></p>
<noscript><p class="notice">${demoText(language, 'stepsScript')}</p></noscript>
${experiments.map((experiment) => experimentView(experiment, baseUrl, language))}`
    return { title, main, scripts: [scripts.experiment], styles: [style] }
  }
  return { path: `/play/${name}`, experiments, page }
}
