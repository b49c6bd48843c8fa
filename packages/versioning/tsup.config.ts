export { default } from '../../apps/tools/tsup.config.ts'
