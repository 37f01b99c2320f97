// The fastest kind of Eleventy template: one JavaScript function that returns the page.
import { objectHtml } from './page.ts';
import { facts, viewOf } from './views.ts';

export const data = {
  pagination: { data: 'entries', size: 1, alias: 'id' },
  permalink: ({ id }) => `objects/${id}.html`,
};

export function render({ id }) {
  return objectHtml(viewOf(id), facts);
}
