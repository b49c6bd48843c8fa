/** Version ranges by package name. */
export type Ranges = Readonly<Record<string, string>>

/** The package.json of a new service. */
export function serviceManifest(name: string, ranges: Ranges): object {
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      start: 'node src/server.ts',
      dev: 'node --watch src/server.ts',
      test: 'node --test',
      typecheck: 'tsc',
    },
    engines: { node: '>=22.18.0' },
    dependencies: { ...ranges, express: '^5.1.0' },
    devDependencies: { '@types/express': '^5.0.0', '@types/node': '^22.0.0', typescript: '^5.9.0' },
  }
}
