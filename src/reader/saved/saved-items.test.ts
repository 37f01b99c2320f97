import { describe, expect, it } from 'vitest';
import { toSavedItem } from './saved-items.ts';

describe('an item that another person may have made', () => {
  const item = { id: 'demo-org-1', path: 'objects/demo-org-1.html', title: 'A photograph' };

  it('has its address in the live archive', () => {
    const source = "https://archive.demo.example/a%20b/?c=d&e=(f),g;h#i'j";
    expect(toSavedItem({ ...item, source })?.source).toBe(source);
  });

  it.each([
    'https://x.example/},evil = {',
    'https://x.example/ y',
    'https://x.example/{',
    'https://x.example/\\',
    'javascript:alert(1)',
  ])('has no address that is not one, such as %s', (source) =>
    expect(toSavedItem({ ...item, source })).not.toHaveProperty('source'),
  );
});
