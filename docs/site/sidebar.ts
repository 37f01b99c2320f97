/** The order of the pages: start, run, publish, keep, withdraw; then what is looked up. */
export const SIDEBAR = [
  { label: 'Start', items: ['ten-minutes', 'for-decision-makers', 'calculator', 'getting-started', 'systems'] },
  { label: 'Run', items: ['harvesting', 'media', 'updating', 'scaling', 'troubleshooting'] },
  { label: 'Publish', items: ['publishing', 'design', 'own-pages', 'own-components', 'notices'] },
  { label: 'Keep', items: ['preservation', 'copies', 'packages'] },
  { label: 'Withdraw', items: ['withdrawing', 'security'] },
  {
    label: 'Reference',
    items: [
      'cli',
      'configuration',
      'reports',
      'addresses',
      'dates',
      'snapshot-format',
      'search-format',
      'glossary',
      'benchmarks',
    ],
  },
  {
    label: 'Develop',
    items: [
      'contributing',
      'architecture',
      'decisions',
      'dependencies',
      'upstream-api',
      'roadmap',
      'changelog',
      'code-of-conduct',
    ],
  },
];
